//! Linkages as text, with the closed forms of their motion.

use std::f64::consts::{PI, TAU};
use std::fmt::Write as _;
use std::path::Path;

use biela::Job;
use biela::model::Overrides;

/// Reads a model from text.
pub(crate) fn read(text: &str) -> Job {
    biela::read("linkage", text, ".".as_ref(), &Overrides::default())
        .unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// Reads a model of the gallery.
pub(crate) fn example(name: &str) -> Job {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let path = root.join(name).join("model.toml");
    biela::load(path).unwrap_or_else(|e| panic!("{e}"))
}

/// A hinge of a closed chain and the link behind it: distance and twist from its axis to the next one.
pub(crate) type Link = (f64, f64);

/// A closed chain of hinges: with `Rz` a turn of a hinge and `X` the way along a link, `Rz(θ₁) X₁ Rz(θ₂) X₂ … = 1`. The last link is the ground. The
/// hinges `J1`, `J2`, … start at these angles.
pub(crate) fn closed_chain(name: &str, links: &[Link], angles: &[f64]) -> String {
    let last = links.len() - 1;
    let (a, twist) = links[last];
    let mut text = format!(
        "format = 1\nname = \"{name}\"\nspace = \"spatial\"\ngravity = [0, 0, -9.81]\n\
         [ground]\nframes = {{ last = {{ at = [{}, 0, 0], rotation = {{ axis = [1, 0, 0], angle = {} }} }} }}\n",
        -a, -twist
    );
    for (i, (a, twist)) in links[..last].iter().enumerate() {
        let _ = write!(
            text,
            "[[body]]\nname = \"link{}\"\nmass = 1\ninertia = [0.01, 0.02, 0.02]\ncom = [{}, 0, 0]\n\
             frames = {{ next = {{ at = [{a}, 0, 0], rotation = {{ axis = [1, 0, 0], angle = {twist} }} }} }}\n",
            i + 1,
            a / 2.0
        );
    }
    for (i, angle) in angles.iter().enumerate() {
        let first = if i == 0 {
            "ground".to_owned()
        } else {
            format!("link{i}.next")
        };
        let second = if i == last {
            "ground.last".to_owned()
        } else {
            format!("link{}", i + 1)
        };
        let _ = write!(
            text,
            "[[joint]]\nname = \"J{}\"\ntype = \"revolute\"\nbetween = [\"{first}\", \"{second}\"]\ninitial = {{ angle = {angle} }}\n",
            i + 1
        );
    }
    text
}

/// Length of a link of Bennett's linkage with a twist: lengths are in the ratio of the sines (G. T. Bennett, *A new mechanism*, Engineering 76, 1903).
fn bennett_length(twist: f64) -> f64 {
    0.5 * twist.sin()
}

/// The second angle of Bennett's linkage: `tan(θ₁/2) tan(θ₂/2) = sin((β+α)/2) / sin((β−α)/2)`.
fn bennett_angle(alpha: f64, beta: f64, theta: f64) -> f64 {
    let ratio = f64::midpoint(beta, alpha).sin() / f64::midpoint(beta, -alpha).sin();
    2.0 * (ratio / (theta / 2.0).tan()).atan()
}

const ALPHA: f64 = 0.7;
const BETA: f64 = 1.2;
const GAMMA: f64 = -0.5;

/// Bennett's linkage: four hinges, opposite links alike.
pub(crate) fn bennett(theta: f64) -> (Vec<Link>, Vec<f64>) {
    let pair = [(bennett_length(ALPHA), ALPHA), (bennett_length(BETA), BETA)];
    let other = bennett_angle(ALPHA, BETA, theta);
    ([pair, pair].concat(), vec![theta, other, -theta, -other])
}

/// Goldberg's five hinges: two linkages of Bennett that share a link, which is then left out, with two of their links made one (M. Goldberg, *New
/// five-bar and six-bar linkages in three dimensions*, Transactions of the ASME 65, 1943).
pub(crate) fn goldberg(theta: f64) -> (Vec<Link>, Vec<f64>) {
    let of = |twist: f64| (bennett_length(twist), twist);
    let back = |twist: f64| (-bennett_length(twist), -twist);
    let joined = (bennett_length(ALPHA) - bennett_length(GAMMA), ALPHA - GAMMA);
    let links = vec![joined, back(BETA), back(GAMMA), of(ALPHA), of(BETA)];
    // X_a Rz(θ₂) X_b Rz(θ₃) X_a Rz(θ₄) X_b Rz(θ₁) = 1, its first X_b said by the other linkage with the same angle φ₂ = θ₂
    let shared = bennett_angle(ALPHA, BETA, theta);
    let other = bennett_angle(GAMMA, BETA, shared);
    let angles = vec![theta, -other, shared, other - theta, -shared];
    (links, angles)
}

/// Bricard's linkage of threefold symmetry: six hinges, links alike with twists that alternate in sign (Y. Chen, Z. You, T. Tarnai, *Threefold-symmetric
/// Bricard linkages for deployable structures*, International Journal of Solids and Structures 42, 2005).
pub(crate) fn bricard(theta: f64) -> (Vec<Link>, Vec<f64>) {
    let (s, c) = (PI / 3.0).sin_cos();
    // cos²α + sin²α (cos θ + cos φ) + (1 + cos²α) cos θ cos φ − 2 cos α sin θ sin φ = 0 for φ
    let x = s * s + (1.0 + c * c) * theta.cos();
    let y = -2.0 * c * theta.sin();
    let rest = c * c + s * s * theta.cos();
    let phi = y.atan2(x) + (-rest / x.hypot(y)).acos();
    let pair = [(0.3, PI / 3.0), (0.3, -PI / 3.0)];
    ([pair, pair, pair].concat(), [theta, phi].repeat(3))
}

/// Five hinges in the plane.
pub(crate) const FIVE_BAR: &str = r#"
format = 1
name = "five-bar"
space = "planar"
[ground]
points = { C = [0.5, 0] }
[[body]]
name = "left"
mass = 1
inertia = 0.01
points = { end = [0.3, 0] }
[[body]]
name = "upper-left"
mass = 1
inertia = 0.01
points = { end = [0.4, 0] }
[[body]]
name = "upper-right"
mass = 1
inertia = 0.01
points = { end = [0.4, 0] }
[[body]]
name = "right"
mass = 1
inertia = 0.01
points = { end = [0.3, 0] }
[[joint]]
name = "A"
type = "revolute"
between = ["ground", "left"]
[[joint]]
name = "B"
type = "revolute"
between = ["left.end", "upper-left"]
[[joint]]
name = "C"
type = "revolute"
between = ["ground.C", "right"]
[[joint]]
name = "D"
type = "revolute"
between = ["right.end", "upper-right"]
[[joint]]
name = "E"
type = "revolute"
between = ["upper-left.end", "upper-right.end"]
"#;

/// A platform on six legs, each of two bodies that slide in each other, with a cross below and a ball above.
pub(crate) fn stewart() -> String {
    let corner = |radius: f64, angle: f64| (radius * angle.cos(), radius * angle.sin());
    let mut text =
        "format = 1\nname = \"stewart\"\nspace = \"spatial\"\ngravity = [0, 0, -9.81]\n".to_owned();
    let (mut base, mut top) = (String::new(), String::new());
    for leg in 0..6 {
        let third = TAU / 3.0 * f64::from(leg / 2);
        let side = if leg % 2 == 0 { -1.0 } else { 1.0 };
        let (x, y) = corner(1.0, third + side * 0.3);
        let _ = write!(base, "b{leg} = [{x}, {y}, 0], ");
        let (x, y) = corner(0.6, third + side * 0.75);
        let _ = write!(top, "p{leg} = [{x}, {y}, 0], ");
    }
    let _ = write!(
        text,
        "[ground]\npoints = {{ {base} }}\n[[body]]\nname = \"platform\"\nmass = 20\ninertia = [2, 2, 4]\nposition = [0, 0, 1]\npoints = {{ {top} }}\n"
    );
    for leg in 0..6 {
        let _ = write!(
            text,
            r#"
[[body]]
name = "lower{leg}"
mass = 2
inertia = [0.1, 0.1, 0.01]
com = [0, 0, 0.3]
[[body]]
name = "upper{leg}"
mass = 1
inertia = [0.1, 0.1, 0.01]
com = [0, 0, -0.3]
[[joint]]
name = "cross{leg}"
type = "universal"
between = ["ground.b{leg}", "lower{leg}"]
axis = [1, 0, 0]
axis2 = [0, 1, 0]
[[joint]]
name = "ram{leg}"
type = "prismatic"
between = ["lower{leg}", "upper{leg}"]
axis = [0, 0, 1]
[[joint]]
name = "ball{leg}"
type = "spherical"
between = ["platform.p{leg}", "upper{leg}"]
"#
        );
    }
    text
}

/// Bennett's linkage with a link in place of the ground, turning in space.
pub(crate) fn bennett_afloat() -> String {
    let (links, angles) = bennett(0.9);
    let text = closed_chain("bennett", &links, &angles);
    let (_, ground) = text.split_once("[ground]\n").unwrap();
    let (frame, rest) = ground.split_once('\n').unwrap();
    let rest = rest.replace("\"ground", "\"base");
    format!(
        "format = 1\nname = \"bennett\"\nspace = \"spatial\"\n[[body]]\nname = \"base\"\nmass = 1\ninertia = [0.01, 0.02, 0.02]\n\
         velocity = [0.2, 0.1, -0.3]\nomega = [1, -0.5, 2]\n{frame}\n{rest}"
    )
}
