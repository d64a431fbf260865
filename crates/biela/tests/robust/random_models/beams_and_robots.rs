//! Beams of every kind with what acts along them, arms under every control law along every trajectory, and arms by tables.

use biela::core::control::laws::LAWS;
use biela::core::control::trajectories::TRAJECTORIES;
use biela::core::model::Space;

use super::writer::Writer;

fn head(w: &mut Writer, name: &str) {
    let (space, gravity) = if w.flat() {
        ("planar", "[0, -9.81]")
    } else {
        ("spatial", "[0, 0, -9.81]")
    };
    w.line(&format!(
        "format = 1\nname = \"{name}\"\nspace = \"{space}\"\ngravity = {gravity}"
    ));
}

/// A beam on the ground or afloat, with a load, a body at its end and a ring along it.
pub(super) fn beam(seed: u64, space: Space, integrator: &str, method: &str) -> String {
    let mut w = Writer::new(seed, space);
    let w = &mut w;
    head(w, "beam");
    let flat = w.flat();
    let kinds: &[&str] = if flat {
        &["cable", "green-lagrange", "structural", "lumped", "rigid"]
    } else {
        &["cable", "exact", "rigid"]
    };
    let kind = w.pick(kinds);
    let (from, to) = if flat {
        ("[0, 0]", "[1, 0.2]")
    } else {
        ("[0, 0, 0]", "[1, 0.2, 0.1]")
    };
    let elements = 1 + w.random.below(4);
    // a lumped beam has one point a bar
    let points = if kind == "lumped" {
        ""
    } else {
        "points = { mid = 0.5, near = \"10 cm\" }\n"
    };
    let mut lines = format!(
        "[[beam]]\nname = \"rod\"\nfrom = {from}\nto = {to}\nelements = {elements}\n{points}"
    );
    lines += &match kind {
        "rigid" => "rigid = true\n".to_owned(),
        kind => format!(
            "element = \"{kind}\"\ndamping = \"{} ms\"\n",
            w.number(0.0, 2.0)
        ),
    };
    if kind == "exact" {
        lines += "up = [0, 0, 1]\n";
    }
    let round = !flat && kind != "exact";
    let profiles: &[&str] = if round {
        &["circle", "tube"]
    } else if flat {
        &["circle", "tube", "rectangle", "I", "box"]
    } else {
        &["circle", "tube", "rectangle", "box"]
    };
    let profile = w.pick(profiles);
    let section = match profile {
        "circle" => "type = \"circle\", radius = \"10 mm\"",
        "tube" => "type = \"tube\", radius = \"12 mm\", inner = \"10 mm\"",
        "rectangle" => "type = \"rectangle\", width = \"20 mm\", height = \"10 mm\"",
        "I" => {
            "type = \"I\", width = \"40 mm\", height = \"60 mm\", flange = \"5 mm\", web = \"4 mm\""
        }
        _ => {
            "type = \"box\", width = \"40 mm\", height = \"20 mm\", flange = \"2 mm\", web = \"3 mm\""
        }
    };
    let young = w.quantity(1e8, 1e10, &[("GPa", 1e9), ("MPa", 1e6)]);
    let poisson = if kind == "exact" {
        "poisson = 0.3\n"
    } else {
        ""
    };
    lines += &format!(
        "section = {{ {section} }}\nyoung = {young}\n{poisson}density = \"{} kg/m^3\"\n",
        w.number(500.0, 8000.0)
    );
    w.line(&lines);
    let hold = if flat {
        w.pick(&["weld", "revolute", ""])
    } else {
        w.pick(&["spherical", ""])
    };
    if !hold.is_empty() {
        w.line(&format!(
            "[[joint]]\nname = \"root\"\ntype = \"{hold}\"\nbetween = [\"ground\", \"rod.start\"]"
        ));
    }
    if w.chance(0.5) {
        let inertia = if flat { "0.01" } else { "[0.01, 0.01, 0.01]" };
        let joint = if flat { "revolute" } else { "spherical" };
        w.line(&format!("[[body]]\nname = \"bob\"\nmass = 0.5\ninertia = {inertia}\n[[joint]]\nname = \"end\"\ntype = \"{joint}\"\nbetween = [\"rod.end\", \"bob\"]"));
    }
    if matches!(kind, "cable" | "green-lagrange" | "structural") && w.chance(0.5) {
        let inertia = if flat { "1e-3" } else { "[1e-3, 1e-3, 1e-3]" };
        w.line(&format!("[[body]]\nname = \"ring\"\nmass = 0.1\ninertia = {inertia}\n[[joint]]\nname = \"slide\"\ntype = \"beam-slider\"\nbetween = [\"rod\", \"ring\"]\ninitial = {{ position = 0.4 }}"));
    }
    if kind != "rigid" && kind != "lumped" && w.chance(0.6) {
        let value = if flat {
            "[0, \"-5*sin(t)\"]"
        } else {
            "[0, \"2*t\", -3]"
        };
        let frame = w.pick(&["ground", "beam"]);
        w.line(&format!("[[force]]\nname = \"wind\"\ntype = \"distributed\"\non = \"rod\"\nvalue = {value}\nframe = \"{frame}\"\nfrom = 0.2\nto = \"90 cm\""));
    }
    let formulations: &[&str] = if matches!(kind, "rigid" | "lumped" | "exact") {
        &["absolute", "tree"]
    } else {
        &["absolute"]
    };
    w.study(formulations, integrator, method);
    std::mem::take(&mut w.text)
}

/// Two links in the plane that a law moves along a trajectory.
pub(super) fn arm(seed: u64, integrator: &str, method: &str) -> String {
    let mut w = Writer::new(seed, Space::Planar);
    let w = &mut w;
    head(w, "arm");
    w.line("[parameters]\nm = \"2 kg\"\nl = \"0.4 m\"");
    for (name, point) in [("upper", "elbow"), ("fore", "tip")] {
        w.line(&format!("[[body]]\nname = \"{name}\"\nmass = \"m\"\ncom = [\"l/2\", 0]\ninertia = \"m*l^2/12\"\npoints = {{ {point} = [\"l\", 0] }}"));
    }
    let start = w.number(0.2, 0.6);
    w.line(&format!(
        "[[joint]]\nname = \"shoulder\"\ntype = \"revolute\"\nbetween = [\"ground\", \"upper\"]\ninitial = {{ angle = {start} }}\nlimits = {{ rate = 3, effort = 80 }}\n\
         [[joint]]\nname = \"elbow\"\ntype = \"revolute\"\nbetween = [\"upper.elbow\", \"fore\"]\ninitial = {{ angle = 0.8 }}\nlimits = {{ rate = 3, effort = 80 }}\n[robot]\ntool = \"fore.tip\""
    ));
    let kinds: Vec<&str> = TRAJECTORIES
        .iter()
        .map(|info| info.name)
        .filter(|name| *name != "file")
        .collect();
    // every one in turn
    let turn = seed as usize / 10;
    let kind = kinds[turn % kinds.len()];
    let points = "points = [[0.3, 0.8], [0.6, 0.5], [0.2, 0.9]]";
    let times = "times = [0, 0.3, 0.7]";
    let keys = match kind {
        "hold" => "at = [0.3, 0.8]".to_owned(),
        "trapezoidal" => format!("{points}\nrate = [2, 2]\nacceleration = [10, 10]"),
        "sinusoid" => "offset = [0.3, 0.8]\namplitude = [[0.2, 0.1]]\nperiod = [0.5]".to_owned(),
        "line" => "from = [0.3, 0.8]\nto = [0.45, 0.45]\norientation = \"free\"\nduration = 1".to_owned(),
        "circle" => "from = [0.3, 0.8]\ncenter = [0.5, 0.4]\nangle = 0.5\norientation = \"free\"\nduration = 1".to_owned(),
        "sequence" => {
            w.line(&format!("[[trajectory]]\nname = \"part\"\ntype = \"quintic\"\n{points}\n{times}"));
            w.line("[[trajectory]]\nname = \"rest\"\ntype = \"hold\"\nat = [0.2, 0.9]\nduration = 0.1");
            "segments = [\"part\", \"rest\"]".to_owned()
        }
        _ => format!("{points}\n{times}"),
    };
    w.line(&format!(
        "[[trajectory]]\nname = \"way\"\ntype = \"{kind}\"\n{keys}"
    ));
    let laws: Vec<&str> = LAWS.iter().map(|info| info.name).collect();
    let law = laws[turn % laws.len()];
    let gains = match law {
        "pd" => "kp = 90\nkd = 5\ngravity = \"reference\"",
        "pid" => "kp = 90\nkd = 5\nki = 10",
        "computed-torque" => "kp = 100\nkd = 20",
        "linearized-cancellation" => "frequency = 50\ndamping = 0.95",
        "feedforward" => "kp = 10\nkd = 1",
        "impedance" => "stiffness = [500, 500]\ndamping = [50, 50]",
        "lqr" => "position_weight = [100, 80]\neffort_weight = 0.01",
        "sliding-mode" => "slope = 20\ngain = 30\nlayer = 0.1",
        _ => "slope = 20\nkd = 5\nbodies = [\"fore\"]\nmass_gain = 1",
    };
    w.line(&format!("[[controller]]\nname = \"law\"\nlaw = \"{law}\"\ntrajectory = \"way\"\nperiod = \"1 ms\"\n{gains}"));
    w.study(&["absolute", "tree"], integrator, method);
    std::mem::take(&mut w.text)
}

/// An arm by a table, driven along a recorded motion or moving by itself.
pub(super) fn chain(seed: u64, integrator: &str, method: &str) -> String {
    let mut w = Writer::new(seed, Space::Spatial);
    let w = &mut w;
    head(w, "chain");
    let convention = w.pick(&["standard", "modified"]);
    w.line(&format!(
        "[[chain]]\nname = \"arm\"\nconvention = \"{convention}\"\nlinks = ["
    ));
    let links = 2 + w.random.below(5);
    for i in 0..links {
        let (alpha, a, d) = (w.angle(1.5), w.length(0.05, 0.5), w.length(-0.2, 0.2));
        let (joint, start) = (
            ["shoulder", "reach", "j3", "j4", "j5", "j6"][i],
            w.number(-1.0, 1.0),
        );
        let sliding = i == 1;
        let kind = if sliding {
            ", type = \"prismatic\""
        } else {
            ""
        };
        let initial = if sliding {
            "position = 0.1".to_owned()
        } else {
            format!("angle = {start}, rate = 1")
        };
        w.line(&format!(
            "  {{ name = \"link{i}\", joint = \"{joint}\"{kind}, alpha = {alpha}, a = {a}, d = {d}, mass = 2, inertia = [0.02, 0.03, 0.03], com = [-0.05, 0, 0], initial = {{ {initial} }} }},"
        ));
    }
    w.line("]");
    if w.chance(0.5) {
        w.line("[[trajectory]]\nname = \"recorded\"\ntype = \"file\"\njoints = [\"shoulder\", \"reach\"]\nfile = \"parts/motion.csv\"\n[[driver]]\nname = \"lead\"\non = \"shoulder\"\ntrajectory = \"recorded\"");
    }
    w.study(&["absolute", "tree"], integrator, method);
    std::mem::take(&mut w.text)
}
