//! Components in every command: the results of arrays are those of instances and elements that are written one by one, byte for byte.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use std::fmt::Write;

use common::{Done, Place};

const LINK: &str = r#"
format = 1
name = "chain"
space = "planar"
gravity = [0, -9.81]

[component.link]
ports = { from = "frame" }
parameters = { length = { unit = "m" } }

[[component.link.body]]
name = "rod"
mass = "3 [kg/m]*length"
inertia = "1 [kg/m]*length^3/4"
com = ["length/2", 0]
points = { tip = ["length", 0] }

[[component.link.joint]]
name = "pin"
type = "revolute"
between = ["from", "rod"]

[[component.link.sensor]]
name = "height"
value = "rod.tip.y - from.y"
"#;

/// The study, with all names as those of the instances.
fn study(name: impl Fn(usize, &str) -> String) -> String {
    let signals =
        (0..4).flat_map(|k| ["rod", "pin", "height"].map(|own| format!("{:?}", name(k, own))));
    let signals: Vec<String> = signals.collect();
    format!(
        "[study]\nduration = \"0.5 s\"\n[output]\nsignals = [{}]\n",
        signals.join(", ")
    )
}

fn biela(place: &Place, words: &str) -> Done {
    place.run(&words.split(' ').collect::<Vec<_>>())
}

/// The bytes of the results of a model, as a table.
fn results(place: &Place, file: &str, text: &str) -> String {
    place.write(file, text);
    let _ = biela(place, &format!("run {file} --csv --out {file}.results")).exits(0);
    std::fs::read_to_string(place.path(&format!("{file}.results/data.csv"))).unwrap()
}

#[test]
fn an_array_gives_the_bytes_of_the_instances_and_of_the_elements_written_one_by_one() {
    let place = Place::new();
    let body = |of: &str| {
        format!(
            "{LINK}[ground]\npoints = {{ A = [0, 1] }}\n[[body]]\nname = \"root\"\nmass = 1\ninertia = 1\n[[joint]]\nname = \"base\"\ntype = \"prismatic\"\nbetween = [\"ground.A\", \"root\"]\n{of}"
        )
    };
    let path = |k: usize, own: &str| format!("link{k}.{own}");
    let array = body(
        "[[instance]]\nname = \"link\"\ncomponent = \"link\"\ncount = 4\nparameters = { length = \"0.1*(1 + index)\" }\nconnect = { from = \"previous.rod.tip\" }\nfirst = { from = \"root\" }\n",
    );
    let mut single = String::new();
    let mut hand = String::new();
    for k in 0..4 {
        let (from, by_hand) = match k {
            0 => ("root".to_owned(), "root".to_owned()),
            _ => (
                format!("link{}.rod.tip", k - 1),
                format!("rod{}.tip", k - 1),
            ),
        };
        let _ = write!(
            single,
            "[[instance]]\nname = \"link{k}\"\ncomponent = \"link\"\nparameters = {{ length = \"0.1*(1 + {k})\" }}\nconnect = {{ from = \"{from}\" }}\n"
        );
        let _ = write!(
            hand,
            "[[body]]\nname = \"rod{k}\"\nmass = \"3 [kg/m]*length{k}\"\ninertia = \"1 [kg/m]*length{k}^3/4\"\ncom = [\"length{k}/2\", 0]\npoints = {{ tip = [\"length{k}\", 0] }}
[[joint]]\nname = \"pin{k}\"\ntype = \"revolute\"\nbetween = [\"{by_hand}\", \"rod{k}\"]
[[sensor]]\nname = \"height{k}\"\nvalue = \"rod{k}.tip.y - {by_hand}.y\"\n"
        );
    }
    let array = results(&place, "array.toml", &(array + &study(path)));
    let single = results(&place, "single.toml", &(body(&single) + &study(path)));
    assert_eq!(array, single);
    assert!(array.lines().count() > 100);

    let lengths = (0..4).fold(String::new(), |text, k| {
        text + &format!("length{k} = \"0.1*(1 + {k})\"\n")
    });
    let hand = body(&hand).replace(
        LINK,
        &format!(
            "{}\n[parameters]\n{lengths}",
            &LINK[..LINK.find("[component").unwrap()]
        ),
    );
    let mut hand = results(
        &place,
        "hand.toml",
        &(hand + &study(|k, own| format!("{own}{k}"))),
    );
    for own in ["rod", "pin", "height"] {
        for k in 0..4 {
            hand = hand.replace(&format!("{own}{k}"), &path(k, own));
        }
    }
    assert_eq!(array, hand);
}

#[test]
fn commands_know_the_parameters_and_signals_of_instances() {
    let place = Place::new();
    // the ground has no motion
    let link = LINK.replace(" - from.y", "");
    let text = format!(
        "{link}[[instance]]\nname = \"a\"\ncomponent = \"link\"\ncount = 2\nparameters = {{ length = \"1 m\" }}\nconnect = {{ from = \"ground\" }}
[study]\nduration = \"0.2 s\"
[[measure]]\nname = \"lowest\"\nof = \"a0.height\"\ntake = \"min\"
[sweep]\nplan = \"grid\"\nvary.\"a0.length\" = {{ values = [\"1 m\", \"2 m\"] }}\n"
    );
    place.write("model.toml", &text);
    let prints = |words: &str, part: &str| {
        let done = biela(&place, words).exits(0);
        assert!(done.out.contains(part), "{words}: {}", done.out);
    };
    prints("info model.toml", "a0 … a1   link       2");
    prints("info model.toml --json", "\"name\": \"a1\"");
    prints("derive model.toml --to python", "a0_length");
    prints("check model.toml", "2 bodies");
    let _ = biela(&place, "run model.toml --set a0.length=2").exits(0);
    let wrong = biela(&place, "run model.toml --set a0.lenght=2").exits(3);
    let _ = wrong.says(&["did you mean `a0.length`?"]);
    let sweep = biela(&place, "sweep model.toml").exits(0);
    let _ = sweep.says(&["2 points over a0.length"]);
}
