//! `biela plot`: pictures of results.

mod common;

use common::{Done, Place};

fn recorded() -> Place {
    let place = Place::new().with("pendulum.toml");
    let _ = place.run(&["run", "pendulum.toml"]).exits(0);
    place
}

/// Draws and gives the SVG.
fn svg(place: &Place, args: &[&str]) -> String {
    let mut all = vec!["plot", "results/pendulum", "--out", "p.svg"];
    all.extend(args);
    let _ = place.run(&all).exits(0).says(&["drew p.svg"]);
    place.text("p.svg")
}

#[test]
fn signals_of_equal_unit_share_a_panel() {
    let place = recorded();
    let all = svg(&place, &[]);
    for text in [
        "angle (rad)",
        "rate (rad/s)",
        "position (m)",
        "total (J)",
        "time (s)",
        "rod.tip.x",
        "rod.tip.y",
        "pendulum",
        "lowest",
    ] {
        assert!(all.contains(&format!(">{text}<")), "no {text} in\n{all}");
    }
    let two = svg(&place, &["pin.angle", "rod.tip.y", "--title", "Swing"]);
    assert!(two.contains(">y (m)<") && two.contains(">Swing<") && !two.contains("pin.rate"));
}

#[test]
fn panels_are_as_requested() {
    let place = recorded();
    let picture = svg(
        &place,
        &["--panel", "pin.angle,pin.rate", "--panel", "energy"],
    );
    assert!(picture.contains(">rad, rad/s<"), "{picture}");
    assert!(picture.contains(">total (J)<"));
}

#[test]
fn a_name_selects_all_signals_below_it() {
    let place = recorded();
    let picture = svg(&place, &["rod.tip"]);
    assert!(picture.contains(">rod.tip.x<") && picture.contains(">rod.tip.y<"));
}

#[test]
fn another_signal_may_be_the_x_axis() {
    let place = recorded();
    let picture = svg(&place, &["rod.tip.y", "--x", "rod.tip.x"]);
    assert!(picture.contains(">x (m)<") && picture.contains(">y (m)<"));
    assert!(!picture.contains("lowest"), "events have a time, not an x");
    let _ = place
        .run(&["plot", "results/pendulum", "rod.tip.y", "--x", "rod.tip"])
        .exits(2)
        .says(&["no signal `rod.tip`; did you mean `rod.tip.x`?"]);
}

#[test]
fn a_plot_has_the_requested_size() {
    let place = recorded();
    let picture = svg(&place, &["--width", "640", "--height", "900"]);
    assert!(picture.contains("width=\"640\"") && picture.contains("height=\"900\""));
    let _ = place
        .run(&["plot", "results/pendulum", "-o", "p.png", "--width", "500"])
        .exits(0);
    let png = place.read("p.png");
    assert!(png.starts_with(b"\x89PNG"));
    assert_eq!(
        u32::from_be_bytes(png[16..20].try_into().unwrap()),
        500,
        "--width counts pixels"
    );
    let refuse = |args: &[&str], words: &str| -> Done {
        let mut all = vec!["plot", "results/pendulum", "--out", "p.svg"];
        all.extend(args);
        place.run(&all).exits(2).says(&[words])
    };
    let _ = refuse(&["--width", "3"], "from 100 to 20000");
    let _ = refuse(&["--height", "150"], "set the height to");
}

#[test]
fn without_a_name_the_plot_is_written_beside_the_data() {
    let place = recorded();
    let _ = place
        .run(&["plot", "results/pendulum"])
        .exits(0)
        .says(&["drew results/pendulum/plot.svg"]);
    assert!(place.text("results/pendulum/plot.svg").starts_with("<svg"));
    let data = "results/pendulum/data.arrows";
    let _ = place
        .run(&["plot", data, "pin.angle"])
        .exits(0)
        .says(&["drew results/pendulum/data.svg"]);
}

#[test]
fn the_model_may_define_its_panels() {
    let place = Place::new().with("pendulum.toml");
    let text = place.text("pendulum.toml") + "plot = [[\"pin.rate\"]]\n";
    place.write("pendulum.toml", &text);
    let _ = place.run(&["run", "pendulum.toml", "--plot"]).exits(0);
    let picture = place.text("results/pendulum/plot.svg");
    assert!(picture.contains(">rate (rad/s)<") && !picture.contains("angle (rad)"));
}

#[test]
fn invalid_names_and_paths_are_reported() {
    let place = recorded();
    let _ = place
        .run(&["plot", "results/pendulum", "pin.angel", "banana"])
        .exits(2)
        .says(&[
            "no signal `pin.angel`; did you mean `pin.angle`?",
            "no signal `banana`",
            "recorded: time, pin.angle, pin.rate, rod.tip.x, rod.tip.y, energy.total",
        ]);
    let _ = place
        .run(&["plot", "results/none"])
        .exits(2)
        .says(&["results/none"]);
    let _ = place
        .run(&["plot", "results"])
        .exits(2)
        .says(&["no results here"]);
    let _ = place
        .run(&["plot", "pendulum.toml"])
        .exits(2)
        .says(&["not readable as results"]);
    let _ = place
        .run(&["plot", "results/pendulum", "--out", "p.pdf"])
        .exits(2)
        .says(&["the name of a plot must end in .svg or .png"]);
    let _ = place
        .run(&["plot", "results/pendulum", "--out", "no/p.svg"])
        .exits(2)
        .says(&["cannot write no/p.svg"]);
}

#[test]
fn damaged_results_are_plotted_up_to_the_damage() {
    let place = recorded();
    let path = place.path("results/pendulum/data.arrows");
    let mut bytes = std::fs::read(&path).unwrap();
    let last = bytes.len() - 200;
    bytes[last] ^= 0xff;
    std::fs::write(&path, bytes).unwrap();
    let _ = place
        .run(&["plot", "results/pendulum"])
        .exits(0)
        .says(&["warning: the data are damaged"]);
}
