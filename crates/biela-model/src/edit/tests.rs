use super::*;

const TEXT: &str = r#"# a pendulum
format = 1
name = "pendulum"
space = "planar"
gravity = [0, -9.81] # down

[parameters]
L = "1 m"    # length of the rod

# the rod
[[body]]
name = "rod"
mass = "2 kg"   # weighed
inertia = 0.1
points = { tip = ["L", 0] }

[[body]]
name = "bob"
mass = 1
inertia = 0.01

[[joint]]
name = "pin"      # a good one
type = "revolute"
between = ["ground", "rod"]

[[joint]]
name = "hold"
type = "weld"
between = ["rod.tip", "bob"]

[study]
duration = 1

[output]
signals = ["pin.angle", "bob.x", "rod.angle"]
plot = [["bob.x", "rod.x"], ["bob.y"], ["pin.angle"]]
"#;

fn element(table: &str, name: &str) -> ModelElement {
    ModelElement {
        table: table.to_owned(),
        name: (!name.is_empty()).then(|| name.to_owned()),
    }
}

fn set(table: &str, name: &str, key: &str, value: &str) -> ModelEdit {
    ModelEdit::Set {
        element: element(table, name),
        key: key.to_owned(),
        value: value.to_owned(),
    }
}

/// Spans of unknown names, found by loading the model.
fn unknown(text: &str) -> Vec<Range<usize>> {
    let loaded = crate::parse("model.toml", text, &crate::Overrides::default());
    unknown_names(&loaded, text)
}

#[test]
fn a_value_changes_and_nothing_else_does() {
    let text = edit(TEXT, &[set("body", "rod", "mass", "2.5 kg")]).unwrap();
    assert_eq!(text, TEXT.replace("\"2 kg\"", "\"2.5 kg\""));
    let text = edit(TEXT, &[set("parameters", "", "L", "0.7")]).unwrap();
    assert_eq!(text, TEXT.replace("\"1 m\"", "0.7"));
    let text = edit(TEXT, &[set("body", "rod", "points.tip", "[0, \"L/2\"]")]).unwrap();
    assert_eq!(text, TEXT.replace("[\"L\", 0]", "[0, \"L/2\"]"));
    let text = edit(TEXT, &[set("body", "rod", "points.mid", "[0, 1]")]).unwrap();
    let points = "{ tip = [\"L\", 0], mid = [0, 1] }";
    assert_eq!(text, TEXT.replace("{ tip = [\"L\", 0] }", points));
    let text = edit(TEXT, &[set("body", "bob", "points.mid", "[0, 1]")]).unwrap();
    assert!(text.contains("\npoints = { mid = [0, 1] }\n"), "{text}");
    let text = edit(TEXT, &[set("ground", "", "points", "{ hook = [0, 1] }")]).unwrap();
    assert_eq!(
        text,
        format!("{TEXT}\n[ground]\npoints = {{ hook = [0, 1] }}\n")
    );
    let text = edit(TEXT, &[set("joint", "pin", "type", "spherical")]).unwrap();
    assert_eq!(text, TEXT.replace("\"revolute\"", "\"spherical\""));
}

#[test]
fn entries_of_lists_need_no_quotes() {
    for (typed, written) in [
        ("[L, 0]", "[\"L\", 0]"),
        (
            "[20 mm, max(L, 2), -1.5]",
            "[\"20 mm\", \"max(L, 2)\", -1.5]",
        ),
        ("[[a.x, b.y], [c.z]]", "[[\"a.x\", \"b.y\"], [\"c.z\"]]"),
        ("[1, 2]", "[1, 2]"),
        ("[\"L\", 0]", "[\"L\", 0]"),
        ("2*L", "\"2*L\""),
        ("[]", "[]"),
        ("[a", "\"[a\""),
    ] {
        assert_eq!(read(typed).to_string().trim(), written);
    }
    let deep = format!("{}a{}", "[".repeat(5000), "]".repeat(5000));
    let _ = read(&deep);
}

#[test]
fn keys_are_added_and_removed() {
    let added = edit(TEXT, &[set("body", "bob", "com", "[0, \"1 mm\"]")]).unwrap();
    assert_eq!(
        added,
        TEXT.replace("inertia = 0.01\n", "inertia = 0.01\ncom = [0, \"1 mm\"]\n")
    );
    let change = ModelEdit::Unset {
        element: element("body", "bob"),
        key: "com".to_owned(),
    };
    assert_eq!(edit(&added, &[change]).unwrap(), TEXT);
}

#[test]
fn an_added_element_follows_the_others_of_its_table() {
    let entries = [("name", "ball"), ("mass", "3 kg"), ("inertia", "0.2")];
    let entries = entries.map(|(a, b)| (a.to_owned(), b.to_owned())).to_vec();
    let change = ModelEdit::Add {
        table: "body".to_owned(),
        entries,
    };
    let text = edit(TEXT, &[change]).unwrap();
    let new = "\n[[body]]\nname = \"ball\"\nmass = \"3 kg\"\ninertia = 0.2\n";
    let before = "inertia = 0.01\n";
    assert_eq!(text, TEXT.replace(before, &format!("{before}{new}")));
    let change = ModelEdit::Add {
        table: "sensor".to_owned(),
        entries: vec![
            ("name".to_owned(), "height".to_owned()),
            ("value".to_owned(), "bob.y".to_owned()),
        ],
    };
    let text = edit(TEXT, &[change]).unwrap();
    assert!(
        text.ends_with("\n[[sensor]]\nname = \"height\"\nvalue = \"bob.y\"\n"),
        "{text}"
    );
}

#[test]
fn references_to_a_removed_body_are_removed_with_it() {
    let text = remove(TEXT, &element("body", "bob"), &unknown).unwrap();
    assert!(!text.contains("bob") && !text.contains("hold"), "{text}");
    assert!(text.contains("# the rod") && text.contains("# a good one"));
    assert!(
        text.contains("signals = [\"pin.angle\", \"rod.angle\"]"),
        "{text}"
    );
    assert!(
        text.contains("plot = [[\"rod.x\"], [\"pin.angle\"]]"),
        "{text}"
    );
    assert!(unknown(&text).is_empty());
}

#[test]
fn a_new_name_is_used_everywhere_and_only_for_the_element() {
    let change = ModelEdit::Rename {
        element: element("body", "rod"),
        name: "arm".to_owned(),
    };
    let text = edit(TEXT, &[change]).unwrap();
    assert!(text.contains("between = [\"ground\", \"arm\"]"));
    assert!(text.contains("[\"arm.tip\", \"bob\"]") && text.contains("\"arm.angle\""));
    assert!(text.contains("# the rod") && unknown(&text).is_empty());
    for (text, expected) in [
        ("rod.x + rods.y", Some("arm.x + rods.y")),
        ("2*rod.angle-my.rod", Some("2*arm.angle-my.rod")),
        ("rodrod", None),
        ("rod", Some("arm")),
    ] {
        assert_eq!(renamed(text, "rod", "arm").as_deref(), expected);
    }
}

#[test]
fn a_new_name_changes_no_keywords_and_no_prose() {
    let text = "name = \"bar\"\ndescription = \"a bar on a pin\"\n\n[[body]]\nname = \"bar\"\nshapes = [{ type = \"bar\", radius = 1 }]\n\n[output]\nsignals = [\"bar.x\"]\n";
    let change = ModelEdit::Rename {
        element: element("body", "bar"),
        name: "arm".to_owned(),
    };
    let expected = text
        .replace("[[body]]\nname = \"bar\"", "[[body]]\nname = \"arm\"")
        .replace("bar.x", "arm.x");
    assert_eq!(edit(text, &[change]).unwrap(), expected);
}

#[test]
fn the_keys_of_the_file_itself_change_like_others() {
    let text = edit(TEXT, &[set("", "", "gravity", "[0, \"-1.62 m/s^2\"]")]).unwrap();
    assert_eq!(text, TEXT.replace("[0, -9.81]", "[0, \"-1.62 m/s^2\"]"));
    let text = edit(TEXT, &[set("", "", "description", "swings")]).unwrap();
    let before = "gravity = [0, -9.81] # down\n";
    assert_eq!(
        text,
        TEXT.replace(before, &format!("{before}description = \"swings\"\n"))
    );
    let own = elements(&text).unwrap().swap_remove(0);
    assert_eq!(own.element, ModelElement::own());
    assert_eq!(own.get("description"), Some("\"swings\""));
    assert_eq!(own.get("parameters"), None);
}

#[test]
fn an_effect_lists_the_removed_and_the_changed_elements() {
    let after = remove(TEXT, &element("body", "bob"), &unknown).unwrap();
    let effect = effect(TEXT, &after).unwrap();
    assert_eq!(
        effect.gone,
        [element("body", "bob"), element("joint", "hold")]
    );
    let changed: Vec<&str> = effect.changed.iter().map(|(_, key)| key.as_str()).collect();
    assert_eq!(changed, ["plot", "signals"]);
    assert_eq!(super::effect(TEXT, TEXT).unwrap(), Effect::default());
}

#[test]
fn formulas_that_read_a_removed_body_are_removed_with_it() {
    let sensor = "[[sensor]]\nname = \"height\"\nvalue = \"2*bob.y\"\n\n[[event]]\nname = \"low\"\nwhen = \"height\"\n\n[study]";
    let text = TEXT.replace("[study]", sensor);
    assert!(unknown(&text).is_empty());
    let text = remove(&text, &element("body", "bob"), &unknown).unwrap();
    assert!(
        !text.contains("sensor") && !text.contains("event"),
        "{text}"
    );
    assert!(unknown(&text).is_empty());
}

#[test]
fn a_name_after_a_minus_sign_is_renamed_too() {
    let sensor = "[[sensor]]\nname = \"height\"\nvalue = \"1-bob.y\"\n\n[[sensor]]\nname = \"depth\"\nvalue = \"2-height\"\n\n[study]";
    let text = TEXT.replace("[study]", sensor);
    assert!(unknown(&text).is_empty());
    for (table, name, parts) in [
        ("body", "bob", ["1-new.y", "2-height"]),
        ("sensor", "height", ["1-bob.y", "2-new"]),
    ] {
        let renamed = rename(&text, &element(table, name), "new", &unknown).unwrap();
        assert!(parts.iter().all(|part| renamed.contains(part)), "{renamed}");
        assert!(unknown(&renamed).is_empty());
    }
}

#[test]
fn a_parameter_with_the_name_of_a_renamed_body_stays() {
    let text = TEXT
        .replace("L = \"1 m\"", "rod = \"1 m\"")
        .replace("[\"L\", 0]", "[\"rod\", \"rod - 2*rod\"]");
    assert!(unknown(&text).is_empty());
    let renamed = rename(&text, &element("body", "rod"), "arm", &unknown).unwrap();
    let expected = text
        .replace("name = \"rod\"", "name = \"arm\"")
        .replace("\"ground\", \"rod\"", "\"ground\", \"arm\"")
        .replace("rod.", "arm.");
    assert_eq!(renamed, expected);
    assert!(unknown(&renamed).is_empty());
}

#[test]
fn names_inside_components_stay_and_connections_follow() {
    let component = "[component.bob]\nports = { on = \"frame\" }\n[[component.bob.body]]\nname = \"rod\"\nmass = 1\ninertia = 1
[[component.bob.joint]]\nname = \"hold\"\ntype = \"weld\"\nbetween = [\"on\", \"rod\"]\n\n";
    let instance = "[[instance]]\nname = \"weight\"\ncomponent = \"bob\"\nconnect = { on = \"rod\" }\n\n[study]";
    let text = TEXT.replace("[study]", &format!("{component}{instance}"));
    assert!(unknown(&text).is_empty());
    let renamed = rename(&text, &element("body", "rod"), "arm", &unknown).unwrap();
    assert!(renamed.contains(component), "{renamed}");
    assert!(renamed.contains("connect = { on = \"arm\" }"), "{renamed}");
    assert!(renamed.contains("component = \"bob\""), "{renamed}");
    assert!(unknown(&renamed).is_empty());
}

#[test]
fn a_change_of_a_missing_element_is_an_error() {
    let cases = [
        (
            set("body", "rodd", "mass", "1"),
            "this file has no body `rodd`",
        ),
        (
            ModelEdit::Unset {
                element: element("robot", ""),
                key: "tool".to_owned(),
            },
            "this file has no [robot]",
        ),
        (set("body", "rod", "a..b", "1"), "`a..b` is not a valid key"),
        (
            ModelEdit::Remove {
                element: element("force", "push"),
            },
            "this file has no force `push`",
        ),
    ];
    for (change, expected) in cases {
        assert_eq!(edit(TEXT, &[change]).unwrap_err().to_string(), expected);
    }
    assert!(edit("a = [", &[]).is_err());
}

#[test]
fn elements_are_listed_as_they_are_written() {
    let list = elements(TEXT).unwrap();
    let names: Vec<&str> = list
        .iter()
        .filter_map(|w| w.element.name.as_deref())
        .collect();
    assert_eq!(names, ["rod", "bob", "pin", "hold"]);
    let rod = list
        .iter()
        .find(|w| w.element == element("body", "rod"))
        .unwrap();
    assert_eq!(rod.get("mass"), Some("\"2 kg\""));
    assert_eq!(rod.get("points"), Some("{ tip = [\"L\", 0] }"));
}

#[test]
fn changes_are_read_from_json() {
    let json = r#"{"do": "set", "element": {"table": "body", "name": "rod"}, "key": "mass", "value": "1"}"#;
    let change: ModelEdit = serde_json::from_str(json).unwrap();
    assert_eq!(change, set("body", "rod", "mass", "1"));
    let json = r#"{"do": "add", "table": "body", "entries": [["name", "x"]]}"#;
    assert!(serde_json::from_str::<ModelEdit>(json).is_ok());
    assert!(serde_json::from_str::<ModelEdit>(r#"{"do": "destroy"}"#).is_err());
}

#[test]
fn removing_the_last_element_removes_its_list() {
    let names = ["pin", "hold"];
    let changes = names.map(|name| ModelEdit::Remove {
        element: element("joint", name),
    });
    let text = edit(TEXT, &changes).unwrap();
    assert!(!text.contains("[[joint]]") && text.contains("[[body]]"));
}
