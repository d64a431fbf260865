//! `biela view` and `biela run --view`, through their server.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::Child;
use std::time::{Duration, Instant};

use common::{Place, done};
use serde_json::{Value, json};

/// A viewer that is running; ends with the test.
struct Viewer {
    child: Option<Child>,
    address: String,
    token: String,
}

impl Viewer {
    fn start(place: &Place, args: &[&str]) -> Self {
        Self::of(&mut place.command(args))
    }

    fn of(command: &mut std::process::Command) -> Self {
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        let _ = BufReader::new(child.stdout.as_mut().unwrap())
            .read_line(&mut line)
            .unwrap();
        let rest = line
            .trim()
            .strip_prefix("http://")
            .unwrap_or_else(|| panic!("{line:?}"));
        let (address, token) = rest.split_once("/?token=").unwrap();
        Self {
            child: Some(child),
            address: address.to_owned(),
            token: token.to_owned(),
        }
    }

    fn ask(&self, method: &str, target: &str, body: &str) -> (u16, Vec<u8>) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_mins(1)))
            .unwrap();
        write!(
            stream,
            "{method} {target} HTTP/1.1\r\nHost: {0}\r\nOrigin: http://{0}\r\nAuthorization: Bearer {1}\r\n\
             Content-Length: {2}\r\n\r\n{body}",
            self.address,
            self.token,
            body.len()
        )
        .unwrap();
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes).unwrap();
        let end = bytes
            .windows(4)
            .position(|four| four == b"\r\n\r\n")
            .unwrap();
        let status = std::str::from_utf8(&bytes[9..12]).unwrap().parse().unwrap();
        (status, bytes[end + 4..].to_vec())
    }

    fn get(&self, target: &str) -> Vec<u8> {
        let (status, body) = self.ask("GET", target, "");
        assert_eq!(status, 200, "{target}: {}", String::from_utf8_lossy(&body));
        body
    }

    fn session(&self) -> Value {
        serde_json::from_slice(&self.get("/api/session")).unwrap()
    }

    /// Waits until the session is so.
    #[track_caller]
    fn wait(&self, what: &str, is: impl Fn(&Value) -> bool) -> Value {
        let begun = Instant::now();
        loop {
            let session = self.session();
            if is(&session) {
                return session;
            }
            assert!(
                begun.elapsed() < Duration::from_mins(1),
                "{what}: {session:#}"
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Presses Ctrl-C and waits for the end.
    fn interrupt(mut self) -> common::Done {
        let child = self.child.take().unwrap();
        let kill = std::process::Command::new("kill")
            .args(["-INT", &child.id().to_string()])
            .status();
        assert!(kill.unwrap().success());
        done(child.wait_with_output().unwrap())
    }
}

impl Drop for Viewer {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn f64s(bytes: &[u8]) -> Vec<f64> {
    bytes
        .chunks_exact(8)
        .map(|b| f64::from_le_bytes(b.try_into().unwrap()))
        .collect()
}

/// Time and the numbers of each frame.
fn frames(bytes: &[u8], size: usize) -> Vec<(f64, Vec<f32>)> {
    let frame = |record: &[u8]| {
        let (time, numbers) = record.split_at(8);
        let numbers = numbers
            .chunks_exact(4)
            .map(|b| f32::from_le_bytes(b.try_into().unwrap()));
        (
            f64::from_le_bytes(time.try_into().unwrap()),
            numbers.collect(),
        )
    };
    bytes.chunks_exact(8 + 4 * size).map(frame).collect()
}

#[test]
fn a_model_is_shown_as_it_is_assembled() {
    let place = Place::new().with("pendulum.toml");
    let session = place
        .run(&["view", "pendulum.toml", "--json"])
        .exits(0)
        .json();
    assert_eq!(
        (&session["mode"], &session["title"]),
        (&"model".into(), &"pendulum.toml".into())
    );
    let scene = &session["scene"];
    assert_eq!(scene["space"], "planar");
    assert_eq!(scene["freedom"], 1);
    assert_eq!(scene["bodies"][0]["name"], "ground");
    assert_eq!(scene["bodies"][1]["name"], "rod");
    assert_eq!(scene["bodies"][1]["mass"], 2.0);
    assert_eq!(scene["bodies"][1]["parent"], 0);
    assert_eq!(scene["bodies"][1]["markers"][0]["name"], "tip");
    assert_eq!(scene["joints"][0]["coordinates"][0], "pin.angle");
    assert_eq!(scene["joints"][0]["freedom"], 1);
    assert_eq!(scene["parameters"][0]["unit"], "m");
    // one joint, so a link from there to the mass centre
    let link = &scene["bodies"][1]["shapes"][0];
    assert_eq!(
        (&link["type"], &link["generated"]),
        (&"bar".into(), &true.into())
    );
    assert_eq!(link["to"][0], 0.5);
    // ground, rod, one reaction
    assert_eq!(scene["frame_size"], 7 + 7 + 3);
    assert_eq!(scene["pose"].as_array().unwrap().len(), 17);
    assert!(
        session["source"]
            .as_str()
            .unwrap()
            .starts_with("format = 1")
    );
}

#[test]
fn beams_of_every_section_were_drawn_round() {
    let place = Place::new();
    let model = |space: &str, beam: &str| {
        format!(
            "format = 1\nspace = \"{space}\"\n[[beam]]\nname = \"beam\"\nyoung = 1e9\ndensity = 1000\n{beam}\n"
        )
    };
    let scene = |text: &str| {
        std::fs::write(place.path("beam.toml"), text).unwrap();
        let session = place.run(&["view", "beam.toml", "--json"]).exits(0).json();
        session["scene"].clone()
    };
    let widest = |polygon: &Value, axis: usize| {
        let points = polygon.as_array().unwrap().iter();
        points.fold(0.0, |most: f64, p| most.max(p[axis].as_f64().unwrap()))
    };
    let planar = scene(&model(
        "planar",
        "from = [0, 0]\nto = [1, 0]\nsection = { type = \"rectangle\", width = 0.02, height = 0.05 }",
    ));
    let section = &planar["beams"][0]["section"];
    let outer = &section["start"][0];
    assert_eq!([widest(outer, 0), widest(outer, 1)], [0.01, 0.025]);
    assert_eq!(section["start"], section["end"]);
    assert_eq!(
        (&section["round"], &section["nodes"]),
        (&false.into(), &json!([]))
    );
    // nodes are at the places that have a name, so that their distances differ
    let spatial = scene(&model(
        "spatial",
        "element = \"exact\"\nfrom = [0, 0, 0]\nto = [1, 0, 0]\nelements = 3\npoints = { near = 0.1 }\n\
         section = { type = \"tube\", radius = 0.05, inner = 0.04 }\nend_section = { type = \"tube\", radius = 0.02, inner = 0.01 }",
    ));
    let section = &spatial["beams"][0]["section"];
    assert_eq!(section["round"], true);
    assert_eq!(section["start"].as_array().unwrap().len(), 2);
    assert_eq!(
        [
            widest(&section["start"][0], 0),
            widest(&section["end"][0], 0)
        ],
        [0.05, 0.02]
    );
    let nodes = section["nodes"].as_array().unwrap();
    let bodies: Vec<_> = nodes.iter().map(|node| &node["body"]).collect();
    assert_eq!(bodies, [1, 2, 3, 4, 5]);
    let shares = nodes.iter().map(|node| node["share"].as_f64().unwrap());
    for (share, expected) in shares.zip([0.0, 0.1, 0.4, 0.7, 1.0]) {
        assert!((share - expected).abs() < 1e-12, "{share} {expected}");
    }
    // a node is seen as part of its beam, not as a round bar around it
    let bodies = spatial["bodies"].as_array().unwrap();
    assert!(bodies.iter().all(|body| body["shapes"] == json!([])));
    let stiff =
        "from = [0, 0]\nto = [1, 0]\naxial_stiffness = 1e6\nbending_stiffness = 1e2\nmass = 1";
    let stiff = model("planar", stiff).replace("young = 1e9\ndensity = 1000\n", "");
    let stiff = scene(&stiff);
    assert_eq!(stiff["beams"][0].get("section"), None);
    assert_eq!(stiff["beams"][0]["radius"], 0.02);
}

#[test]
fn the_fixture_of_the_page_is_the_output_of_the_command() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let path = root.join("crates/biela-view/web/tests/fixtures/session.json");
    let Ok(fixture) = std::fs::read_to_string(&path) else {
        return;
    };
    let fixture: Value = serde_json::from_str(&fixture).unwrap();
    let output = Place::new()
        .command(&[
            "view",
            "examples/flexible/four-bar-rigid/model.toml",
            "--json",
        ])
        .current_dir(&root)
        .output();
    let now = done(output.unwrap()).json();
    let keys =
        |value: &Value| -> Vec<String> { value.as_object().unwrap().keys().cloned().collect() };
    assert_eq!(keys(&fixture), keys(&now));
    assert_eq!(keys(&fixture["scene"]), keys(&now["scene"]));
    assert_eq!(fixture["scene"]["bodies"], now["scene"]["bodies"]);
}

#[test]
fn an_invalid_edit_keeps_the_last_model_and_is_reported() {
    let place = Place::new().with("pendulum.toml");
    let good = place.text("pendulum.toml");
    let viewer = Viewer::start(&place, &["view", "pendulum.toml", "--no-open"]);
    assert_eq!(viewer.session()["diagnostics"].as_array().unwrap().len(), 0);

    place.write(
        "pendulum.toml",
        &good.replace("\"revolute\"", "\"revolut\""),
    );
    let broken = viewer.wait("a mistake", |s| {
        !s["diagnostics"].as_array().unwrap().is_empty()
    });
    let told = &broken["diagnostics"][0];
    let said = place.run(&["check", "pendulum.toml"]).exits(3).err;
    assert!(
        said.contains(told["text"].as_str().unwrap()),
        "{said}\n{told:#}"
    );
    assert_eq!(told["severity"], "error");
    assert_eq!((&told["line"], &told["column"]), (&20.into(), &8.into()));
    assert!(told["help"].as_str().unwrap().contains("revolute"));
    assert_eq!(
        broken["scene"]["joints"][0]["type"], "revolute",
        "the last good picture"
    );

    // cannot be assembled: reported with the location of the joint
    let apart = good.replace("[[event]]", "[[joint]]\nname = \"far\"\ntype = \"revolute\"\nbetween = [\"ground.far\", \"rod\"]\n[[event]]")
        .replace("[[body]]", "[ground]\npoints = { far = [9, 9] }\n[[body]]");
    place.write("pendulum.toml", &apart);
    let apart = viewer.wait("no assembly", |s| {
        s["diagnostics"][0]["code"] == "cannot-assemble"
    });
    assert!(
        apart["diagnostics"][0]["line"].as_u64().unwrap() > 0,
        "{apart:#}"
    );

    place.write("pendulum.toml", &good.replace("\"1 m\"", "\"3 m\""));
    let mended = viewer.wait("mended", |s| {
        s["diagnostics"].as_array().unwrap().is_empty()
    });
    assert_eq!(mended["scene"]["bodies"][1]["center"][0], 1.5);
    let _ = viewer.interrupt().exits(0);
}

#[test]
fn an_invalid_model_is_shown_once_it_is_corrected() {
    let place = Place::new().with("pendulum.toml");
    let good = place.text("pendulum.toml");
    place.write(
        "main.toml",
        "format = 1\nspace = \"planar\"\ninclude = [\"pendulum.toml\"]\n",
    );
    place.write("pendulum.toml", "format = \n");
    let viewer = Viewer::start(&place, &["view", "main.toml", "--no-open"]);
    assert_eq!(viewer.session()["scene"], Value::Null);
    place.write("pendulum.toml", &good);
    let session = viewer.wait("an included file", |s| {
        // the viewer may read the file while it is still empty
        !s["scene"]["bodies"][1].is_null()
    });
    assert_eq!(session["scene"]["bodies"][1]["name"], "rod");
}

#[test]
fn results_contain_their_motion() {
    let place = Place::new().with("pendulum.toml");
    let _ = place.run(&["run", "pendulum.toml"]).exits(0);
    let first = place.read("results/pendulum/motion.bin");
    let viewer = Viewer::start(&place, &["view", "results/pendulum", "--no-open"]);
    let session = viewer.session();
    assert_eq!(session["mode"], "results");
    let run = &session["runs"][0];
    assert_eq!(
        (&run["frames"], &run["state"]),
        (&101.into(), &"finished".into())
    );
    assert_eq!(
        (&run["times"]["last"], &run["times"]["step"]),
        (&1.0.into(), &0.01.into())
    );
    assert_eq!(run["events"][0]["name"], "lowest");
    let size = session["scene"]["frame_size"].as_u64().unwrap() as usize;

    // the pose of the rod against the signals, and the reaction against the weight and the motion
    let all = frames(&viewer.get("/api/runs/0/frames?from=0&count=500"), size);
    assert_eq!(all.len(), 101);
    let bytes = viewer.get("/api/runs/0/signals?names=pin.angle,rod.tip.y,pin.rate&points=1000");
    let rows = u32::from_le_bytes(bytes[..4].try_into().unwrap()) as usize;
    assert_eq!(rows, 101);
    let column = |k: usize| f64s(&bytes[4 + k * (4 + 24 * rows)..][..24 * rows]);
    let (angle, tip, rate) = (column(0), column(1), column(2));
    for (k, (time, frame)) in all.iter().enumerate() {
        assert_eq!(angle[3 * k], *time);
        assert_eq!(angle[3 * k + 1], angle[3 * k + 2], "exact samples");
        let rod = &frame[7..14];
        let (half, a) = (0.5 * angle[3 * k + 1], angle[3 * k + 1]);
        assert!(
            (f64::from(rod[5]) - half.sin()).abs() < 1e-6
                && (f64::from(rod[6]) - half.cos()).abs() < 1e-6
        );
        assert!(
            (f64::from(rod[0])).abs() < 1e-6,
            "the pin is at the origin of the rod"
        );
        assert!((a.sin() - tip[3 * k + 1]).abs() < 1e-6);
        // m (a_G − g): with θ̈ = −(3g/2l) cos θ at the mass centre l/2
        let (m, g, l, w) = (2.0, 9.81, 1.0, rate[3 * k + 1]);
        let alpha = -1.5 * g / l * a.cos();
        let fx = m * l / 2.0 * (-alpha * a.sin() - w * w * a.cos());
        let fy = m * (l / 2.0 * (alpha * a.cos() - w * w * a.sin()) + g);
        let reaction = &frame[14..17];
        assert!(
            (f64::from(reaction[0]) - fx).abs() < 1e-3,
            "{reaction:?} {fx} {fy}"
        );
        assert!(
            (f64::from(reaction[1]) - fy).abs() < 1e-3,
            "{reaction:?} {fx} {fy}"
        );
    }
    // the same run, the same bytes
    let _ = place.run(&["run", "pendulum.toml"]).exits(0);
    assert_eq!(place.read("results/pendulum/motion.bin"), first);
    // omitted, with a hint how to record it
    let _ = place.run(&["run", "pendulum.toml", "--no-motion"]).exits(0);
    assert!(!place.path("results/pendulum/motion.bin").exists());
    let _ = place
        .run(&["view", "results/pendulum"])
        .exits(2)
        .says(&["record the motion", "run the model again"]);
}

#[test]
fn several_results_are_runs_of_one_scene() {
    let place = Place::new().with("pendulum.toml").with("two-links.toml");
    for (name, length) in [("short", "length=0.5"), ("long", "length=2")] {
        let _ = place
            .run(&[
                "run",
                "pendulum.toml",
                "--set",
                length,
                "--out",
                name,
                "--quiet",
            ])
            .exits(0);
    }
    let session = place
        .run(&["view", "short", "long", "--json"])
        .exits(0)
        .json();
    assert_eq!(
        (&session["runs"][0]["name"], &session["runs"][1]["name"]),
        (&"short".into(), &"long".into())
    );
    assert_eq!(session["runs"][1]["parameters"]["length"], "2");
    assert_eq!(session["runs"][1]["id"], 1);
    // each is drawn with the length it had, from the server and in one page
    let viewer = Viewer::start(&place, &["view", "short", "long", "--no-open"]);
    let scene = |id: usize| -> Value {
        serde_json::from_slice(&viewer.get(&format!("/api/runs/{id}/scene"))).unwrap()
    };
    assert_eq!(scene(0), session["scene"]);
    let length = |scene: &Value| scene["parameters"][0]["value"].as_f64();
    assert_eq!(length(&scene(1)), Some(2.0));
    assert_eq!(viewer.ask("GET", "/api/runs/2/scene", "").0, 404);
    let _ = place
        .run(&["export", "short", "long", "both.html"])
        .exits(0);
    let page = place.text("both.html");
    assert!(!page.contains("id=\"biela-scene-0\""));
    let own = page.split_once("id=\"biela-scene-1\">").unwrap().1;
    let own = own.split_once("</script>").unwrap().0;
    assert_eq!(serde_json::from_str::<Value>(own).unwrap(), scene(1));
    let _ = place
        .run(&[
            "run",
            "two-links.toml",
            "--out",
            "other",
            "--quiet",
            "--to",
            "0.1",
        ])
        .exits(0);
    let _ = place
        .run(&["view", "short", "other"])
        .exits(2)
        .says(&["another mechanism"]);
    let _ = place
        .run(&["view", "short", "pendulum.toml"])
        .exits(2)
        .says(&["show a model alone"]);
    let _ = place.run(&["view", "short", "--set", "a=1"]).exits(2);
    let _ = place.run(&["view", "nothing"]).exits(2);
}

#[test]
fn inconsistent_files_are_reported() {
    let place = Place::new().with("pendulum.toml");
    let _ = place.run(&["run", "pendulum.toml", "--quiet"]).exits(0);
    let scene = place.text("results/pendulum/scene.json");
    for (broken, words) in [
        (
            scene.replace("\"frame_size\":17", "\"frame_size\":18"),
            "the size of a frame",
        ),
        (
            scene.replace("\"bodies\":[0,1]", "\"bodies\":[0,9]"),
            "a body that does not exist",
        ),
        (scene[..scene.len() / 2].to_owned(), "scene.json"),
        ("[]".to_owned(), "scene.json"),
    ] {
        place.write("results/pendulum/scene.json", &broken);
        let _ = place
            .run(&["view", "results/pendulum"])
            .exits(2)
            .says(&[words]);
    }
    place.write("results/pendulum/scene.json", &scene);
    place.write(
        "results/pendulum/motion.bin",
        "no motion, but long enough to have a header",
    );
    let _ = place
        .run(&["view", "results/pendulum"])
        .exits(2)
        .says(&["not a motion file of biela"]);
}

#[test]
fn a_run_is_shown_during_and_after_its_computation() {
    let place = Place::new().with("pendulum.toml");
    let args = [
        "run",
        "pendulum.toml",
        "--view",
        "--no-open",
        "--to",
        "100000",
        "--output-step",
        "1",
        "--quiet",
    ];
    let viewer = Viewer::start(&place, &args);
    let under_way = viewer.wait("frames", |s| s["runs"][0]["frames"].as_u64() > Some(200));
    assert_eq!(under_way["mode"], "live");
    assert_eq!(under_way["runs"][0]["state"], "running");
    assert_eq!(under_way["runs"][0]["times"]["end"], 100_000.0);
    // all rows are there, those on the disk and those not yet
    let size = under_way["scene"]["frame_size"].as_u64().unwrap() as usize;
    let bytes = viewer.get("/api/runs/0/signals?names=pin.angle&points=20000&from=0&to=150");
    assert_eq!(u32::from_le_bytes(bytes[..4].try_into().unwrap()), 151);
    let rows = f64s(&bytes[4..]);
    let times: Vec<f64> = rows.chunks_exact(3).map(|row| row[0]).collect();
    assert!(
        times.iter().enumerate().all(|(k, t)| *t == k as f64),
        "{times:?}"
    );
    let seen = frames(&viewer.get("/api/runs/0/frames?from=100&count=50"), size);
    assert_eq!((seen.len(), seen[0].0), (50, 100.0));
    // Ctrl-C ends both, with the results kept
    let _ = viewer.interrupt().exits(130);
    assert_eq!(
        place.json("results/pendulum/manifest.json")["status"]["state"],
        "interrupted"
    );
    let kept = place
        .run(&["view", "results/pendulum", "--json"])
        .exits(0)
        .json();
    let rows = place.json("results/pendulum/manifest.json")["rows"].clone();
    assert_eq!(kept["runs"][0]["frames"], rows);
    assert_eq!(
        (&kept["runs"][0]["state"], &kept["runs"][0]["message"]),
        (&"stopped".into(), &"interrupted".into())
    );

    let viewer = Viewer::start(&place, &["run", "pendulum.toml", "--view", "--no-open"]);
    let ended = viewer.wait("the end", |s| s["runs"][0]["state"] == "finished");
    assert_eq!(ended["runs"][0]["frames"], 101);
    assert_eq!(ended["runs"][0]["events"].as_array().unwrap().len(), 1);
    let bytes = viewer.get("/api/runs/0/signals?names=pin.angle&points=20000");
    assert_eq!(u32::from_le_bytes(bytes[..4].try_into().unwrap()), 101);
    let _ = viewer
        .interrupt()
        .exits(0)
        .says(&["finished at t = 1 s", "until Ctrl-C"]);
}

#[test]
fn a_page_can_stop_a_run_and_keep_showing_it() {
    let place = Place::new().with("pendulum.toml");
    let args = [
        "run",
        "pendulum.toml",
        "--view",
        "--no-open",
        "--to",
        "100000",
        "--output-step",
        "1",
        "--quiet",
    ];
    let viewer = Viewer::start(&place, &args);
    let _ = viewer.wait("frames", |s| s["runs"][0]["frames"].as_u64() > Some(10));
    assert_eq!(viewer.ask("POST", "/api/stop", "").0, 200);
    let ended = viewer.wait("the end", |s| s["runs"][0]["state"] == "stopped");
    assert_eq!(ended["runs"][0]["message"], "interrupted");
    let _ = viewer.interrupt().exits(130);
}

#[test]
fn a_model_runs_from_the_page_with_other_parameters() {
    let place = Place::new().with("pendulum.toml");
    let viewer = Viewer::start(&place, &["view", "pendulum.toml", "--no-open"]);
    let run = |body: &str| viewer.ask("POST", "/api/run", body);
    let (status, body) = run(r#"{"parameters":{"length":2.5}}"#);
    assert_eq!((status, body.as_slice()), (200, &br#"{"id":0}"#[..]));
    let session = viewer.wait("the run", |s| s["runs"][0]["state"] == "finished");
    assert_eq!(session["runs"][0]["name"], "length = 2.5 m");
    assert_eq!(session["runs"][0]["frames"], 101);
    let size = session["scene"]["frame_size"].as_u64().unwrap() as usize;
    // θ̈ = −3g/(2l) cos θ from rest at zero: the first hundredth of a second
    let second = frames(&viewer.get("/api/runs/0/frames?from=1&count=1"), size);
    let turn = 2.0 * f64::from(second[0].1[12]);
    assert!(
        (turn + 0.5 * 1.5 * 9.81 / 2.5 * 1e-4).abs() < 1e-7,
        "{turn}"
    );

    let refused = |body: &str, words: &str| {
        let (status, said) = run(body);
        let said = String::from_utf8(said).unwrap();
        assert!(status == 422 && said.contains(words), "{status} {said}");
    };
    refused(
        r#"{"parameters":{"lenght":2.5}}"#,
        "no independent parameter `lenght`",
    );
    refused(
        r#"{"parameters":{"length":"2; rm -rf /"}}"#,
        "must be a number",
    );
    refused(r#"{"parameters":{"mass":-1}}"#, "mass");
    // a later run takes the place of one that is under way
    place.write(
        "pendulum.toml",
        &place
            .text("pendulum.toml")
            .replace("\"1 s\"", "\"100000 s\""),
    );
    assert_eq!(run(r#"{"parameters":{}}"#).0, 200);
    let _ = viewer.wait("frames", |s| s["runs"][1]["frames"].as_u64() > Some(100));
    assert_eq!(run(r#"{"parameters":{"length":3}}"#).1, br#"{"id":2}"#);
    let ids: Vec<Value> = viewer.session()["runs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|r| r["id"].clone())
        .collect();
    assert_eq!(ids, [0, 2]);
    assert_eq!(viewer.ask("POST", "/api/stop", "").0, 200);
    let _ = viewer.wait("stopped", |s| s["runs"][1]["state"] == "stopped");
    let _ = viewer.interrupt().exits(0);
}

#[test]
fn mode_shapes_are_differences_of_frames() {
    let place = Place::new().with("pendulum.toml");
    // hanging down, 3g/(2l) = ω²
    let down = place.text("pendulum.toml").replace(
        "between = [\"ground\", \"rod\"]",
        "between = [\"ground\", \"rod\"]\ninitial = { angle = \"-90 deg\" }",
    );
    place.write("pendulum.toml", &down);
    let viewer = Viewer::start(&place, &["view", "pendulum.toml", "--no-open"]);
    let modes: Value = serde_json::from_slice(&viewer.get("/api/modes")).unwrap();
    let mode = &modes["modes"][0];
    let expected = (1.5 * 9.81_f64).sqrt() / std::f64::consts::TAU;
    assert!(
        (mode["frequency"].as_f64().unwrap() - expected).abs() < 1e-6,
        "{mode:#}"
    );
    assert!(mode["damping"].as_f64().unwrap().abs() < 1e-9);
    assert!(
        mode["text"].as_str().unwrap().contains("pin.angle"),
        "{mode:#}"
    );
    let shape: Vec<f64> = mode["shape"]
        .as_array()
        .unwrap()
        .iter()
        .map(|x| x.as_f64().unwrap())
        .collect();
    assert_eq!(shape.len(), 17);
    // the quaternion (0, 0, sin θ/2, cos θ/2) by θ, at θ = −90°, for a unit of the largest turn
    let (z, w) = (shape[12], shape[13]);
    let side = 0.5 * std::f64::consts::FRAC_PI_4.cos();
    assert!(
        (z.abs() - side).abs() < 1e-3 && (w - z).abs() < 1e-3,
        "{z} {w}"
    );
    assert!(
        shape[..12]
            .iter()
            .chain(&shape[14..])
            .all(|x| x.abs() < 1e-3),
        "{shape:?}"
    );
}

#[test]
fn meshes_are_read_only_from_the_folder_of_the_model() {
    let place = Place::new();
    std::fs::create_dir(place.path("model")).unwrap();
    std::fs::create_dir(place.path("model/parts")).unwrap();
    place.write("secret.stl", "secret");
    place.write("model/parts/arm.stl", "solid arm");
    #[cfg(unix)]
    std::os::unix::fs::symlink(place.path("secret.stl"), place.path("model/link.stl")).unwrap();
    let shape = |file: &str| format!("{{ type = \"mesh\", file = \"{file}\" }}");
    let files = [
        "parts/arm.stl",
        "../secret.stl",
        "link.stl",
        "missing.stl",
        "parts",
        "/etc/passwd",
    ];
    let shapes: Vec<String> = files.iter().map(|file| shape(file)).collect();
    place.write(
        "model/model.toml",
        &format!(
            "format = 1\nspace = \"spatial\"\n[[body]]\nname = \"arm\"\nmass = 1\ninertia = [1, 1, 1]\nshapes = [{}]\n",
            shapes.join(", ")
        ),
    );
    let viewer = Viewer::start(&place, &["view", "model/model.toml", "--no-open"]);
    assert_eq!(
        viewer.session()["scene"]["bodies"][1]["shapes"][0]["mesh"],
        0,
        "{:#}",
        viewer.session()["diagnostics"]
    );
    assert_eq!(viewer.get("/api/meshes/0"), b"solid arm");
    for number in 1..files.len() {
        let (status, said) = viewer.ask("GET", &format!("/api/meshes/{number}"), "");
        assert_eq!(status, 422, "{}", files[number]);
        assert!(
            !String::from_utf8_lossy(&said).contains("secret\n"),
            "{}",
            files[number]
        );
    }
    assert_eq!(viewer.ask("GET", "/api/meshes/99", "").0, 404);

    // results bring the meshes along that the model may read
    let run = ["run", "model/model.toml", "--to", "0.1", "--out", "out"];
    let _ = place.run(&run).exits(0);
    let results = Viewer::start(&place, &["view", "out", "--no-open"]);
    let shapes = &results.session()["scene"]["bodies"][1]["shapes"];
    assert_eq!(shapes[0]["file"], "meshes/0.stl");
    assert_eq!(shapes[1]["file"], "../secret.stl");
    assert_eq!(results.get("/api/meshes/0"), b"solid arm");
    for number in 1..files.len() {
        let (status, _) = results.ask("GET", &format!("/api/meshes/{number}"), "");
        assert_eq!(status, 422, "{}", files[number]);
    }
    let _ = place.run(&["export", "out", "page.html"]).exits(0);
    let page = place.text("page.html");
    assert!(page.contains("id=\"biela-mesh-0\">c29saWQgYXJt</script>"));
    assert!(!page.contains("id=\"biela-mesh-1\""));
}

#[test]
fn another_interface_causes_a_warning_and_a_port_in_use_a_hint() {
    let place = Place::new().with("pendulum.toml");
    let viewer = Viewer::start(&place, &["view", "pendulum.toml", "--no-open"]);
    let port = viewer.address.rsplit_once(':').unwrap().1;
    let _ = place
        .run(&["view", "pendulum.toml", "--port", port])
        .exits(2)
        .says(&["choose another --port"]);
    // a loopback address is no other interface
    let second = Viewer::start(
        &place,
        &["view", "pendulum.toml", "--no-open", "--bind", "127.0.0.2"],
    );
    assert!(second.address.starts_with("127.0.0.2:"));
    assert!(!second.interrupt().exits(0).err.contains("warning"));
}

#[test]
fn results_are_exported_as_images_and_animations() {
    let place = Place::new().with("pendulum.toml");
    let _ = place.run(&["run", "pendulum.toml", "--quiet"]).exits(0);
    let small = ["--width", "160", "--height", "90"];
    let export = |rest: &[&str]| place.run(&[&["export"], rest, &small].concat());
    let bytes = |file: &str| place.read(file);
    let _ = export(&["results/pendulum", "start.png"]).exits(0);
    let _ = export(&["results/pendulum", "later.png", "--at", "0.5"]).exits(0);
    let _ = export(&["pendulum.toml", "model.png"]).exits(0);
    assert_eq!(&bytes("start.png")[1..4], b"PNG");
    assert_ne!(bytes("start.png"), bytes("later.png"), "the pendulum moves");
    let film = ["results/pendulum", "film.gif", "--to", "0.4"];
    let _ = export(&film).exits(0).says(&["11 frames"]);
    assert_eq!(&bytes("film.gif")[..4], b"GIF8");
    let _ = export(&["results/pendulum", "frames", "--to", "0.1"]).exits(0);
    assert!(place.path("frames/00002.png").is_file());
    for (rest, words) in [
        (&["results/pendulum", "x.avi"][..], ".gif"),
        (
            &["results/pendulum", "x.png", "--at", "nan"],
            "--at must be a time",
        ),
        (
            &["results/pendulum", "x.gif", "--from", "9", "--to", "1"],
            "--from",
        ),
        (&["pendulum.toml", "x.gif"], "biela run"),
        (
            &["results/pendulum", "none/x.mp4"],
            "the folder `none` does not exist",
        ),
        (
            &["results/pendulum", "results/pendulum", "x.gif"],
            "one run",
        ),
    ] {
        let _ = export(rest).exits(2).says(&[words]);
    }
}

/// Width and height of every picture that a GIF stores.
fn gif_pictures(bytes: &[u8]) -> Vec<[u16; 2]> {
    let number = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
    let table = |flags: u8| {
        if flags & 0x80 == 0 {
            0
        } else {
            6 << (flags & 7)
        }
    };
    let mut at = 13 + table(bytes[10]);
    let mut found = Vec::new();
    while bytes[at] != b';' {
        if bytes[at] == b',' {
            found.push([number(at + 5), number(at + 7)]);
            // the descriptor, its colours, and the size of the first codes
            at += 11 + table(bytes[at + 9]);
        } else {
            at += 2;
        }
        while bytes[at] != 0 {
            at += 1 + usize::from(bytes[at]);
        }
        at += 1;
    }
    found
}

#[test]
fn every_frame_of_a_gif_was_the_last_one() {
    let place = Place::new().with("pendulum.toml");
    let _ = place.run(&["run", "pendulum.toml", "--quiet"]).exits(0);
    let small = ["--width", "160", "--height", "90"];
    let film = ["export", "results/pendulum", "film.gif"];
    let _ = place.run(&[&film[..], &small].concat()).exits(0);
    let pictures = gif_pictures(&place.read("film.gif"));
    assert_eq!((pictures.len(), pictures[0]), (26, [160, 90]));
    // what did not change from one picture to the next is not stored
    for [width, height] in &pictures[1..] {
        assert!(*width > 3 && *height > 3, "{pictures:?}");
    }
}

#[test]
fn an_image_shows_ghosts_and_the_path_of_a_point() {
    let place = Place::new().with("pendulum.toml");
    let _ = place.run(&["run", "pendulum.toml", "--quiet"]).exits(0);
    let small = ["--width", "160", "--height", "90"];
    let export = |rest: &[&str]| place.run(&[&["export"], rest, &small].concat());
    let mut seen = Vec::new();
    for options in [
        &["--at", "0.5"][..],
        &["--at", "0.5", "--ghosts", "4"],
        &["--at", "0.5", "--ghosts", "4", "--to", "0.5"],
        &["--at", "0.5", "--trace", "rod.tip"],
        &["--at", "0.5", "--trace", "rod.com", "--to", "0.5"],
    ] {
        let _ = export(&[&["results/pendulum", "x.png"], options].concat()).exits(0);
        let picture = place.read("x.png");
        assert!(!seen.contains(&picture), "{options:?} changes nothing");
        seen.push(picture);
    }
    let film = ["results/pendulum", "x.gif", "--trace", "rod.tip"];
    let _ = export(&film).exits(0);
    for (rest, words) in [
        (
            &["results/pendulum", "x.png", "--trace", "rod.top"][..],
            &["no point is called `rod.top`", "rod.tip"][..],
        ),
        (
            &["results/pendulum", "x.gif", "--ghosts", "3"],
            &["--ghosts applies to images"],
        ),
        (
            &["results/pendulum", "x.png", "--ghosts", "1000"],
            &["at most 200"],
        ),
        (
            &["pendulum.toml", "x.png", "--ghosts", "3"],
            &["need a motion", "biela run"],
        ),
        (
            &["results/pendulum", "x.html", "--trace", "rod.tip"],
            &["apply to images and animations"],
        ),
    ] {
        let _ = export(rest).exits(2).says(words);
    }
}

#[test]
fn results_are_exported_as_one_page() {
    let place = Place::new().with("pendulum.toml");
    let _ = place.run(&["run", "pendulum.toml", "--quiet"]).exits(0);
    let _ = place
        .run(&["export", "results/pendulum", "page.html"])
        .exits(0)
        .says(&["wrote page.html"]);
    let page = place.text("page.html");
    let inside = |id: &str| {
        let after = page.split_once(&format!("id=\"{id}\">")).unwrap().1;
        after.split_once("</script>").unwrap().0
    };
    let session: Value = serde_json::from_str(inside("biela-session")).unwrap();
    assert_eq!(session["runs"][0]["frames"], 101);
    let record = 8 + 4 * 17;
    assert_eq!(
        inside("biela-frames-0").len(),
        (101 * record as usize).div_ceil(3) * 4
    );
    let signals = session["runs"][0]["signals"].as_array().unwrap().len();
    assert_eq!(
        inside("biela-signals-0").len(),
        (8 + 101 * (8 + 4 * signals)).div_ceil(3) * 4
    );
    // the same results, the same page
    let _ = place
        .run(&["export", "results/pendulum", "again.html"])
        .exits(0);
    assert_eq!(place.text("again.html"), page);
    // a long run is thinned
    let _ = place
        .run(&["run", "pendulum.toml", "--quiet", "--output-step", "5 us"])
        .exits(0);
    let _ = place
        .run(&["export", "results/pendulum", "long.html"])
        .exits(0);
    let long = place.text("long.html").len();
    assert!(long < page.len() + 3_500_000, "{long}");
    let _ = place
        .run(&["export", "pendulum.toml", "x.html"])
        .exits(2)
        .says(&["a page needs a motion"]);
}

/// Asks the desk of a page; the answer, which must be good.
#[track_caller]
fn desk(viewer: &Viewer, action: &str, request: &Value) -> Value {
    let (status, body) = viewer.ask("POST", &format!("/api/desk/{action}"), &request.to_string());
    let text = String::from_utf8_lossy(&body).into_owned();
    assert_eq!(status, 200, "{action}: {text}");
    serde_json::from_str(&text).unwrap()
}

#[test]
fn a_model_is_edited_on_the_page_and_external_changes_are_kept() {
    let place = Place::new().with("pendulum.toml");
    let path = place.path("pendulum.toml");
    let before = std::fs::read_to_string(&path).unwrap();
    let viewer = Viewer::start(&place, &["view", "pendulum.toml", "--no-open"]);
    let tables = desk(&viewer, "language", &json!({}))["tables"].clone();
    assert!(
        tables
            .as_array()
            .unwrap()
            .iter()
            .any(|t| t["name"] == "joint")
    );
    let listed = desk(&viewer, "elements", &json!({}));
    let rod = listed["elements"].as_array().unwrap().iter();
    assert_eq!(rod.filter(|e| e["name"] == "rod").count(), 1);
    let mass = |version: &Value, value: &str| {
        json!({ "version": version, "changes": [
            { "do": "set", "element": { "table": "body", "name": "rod" }, "key": "mass", "value": value },
        ] })
    };
    let done = desk(&viewer, "edit", &mass(&listed["version"], "3 kg"));
    assert_eq!((&done["undo"], &done["redo"]), (&1.into(), &0.into()));
    let _ = viewer.wait("a new mass", |s| s["scene"]["bodies"][1]["mass"] == 3.0);
    let wrong = desk(&viewer, "edit", &mass(&done["version"], "3 m"));
    let problem = &wrong["problems"][0];
    assert!(problem["line"].as_u64().unwrap() > 0, "{wrong:#}");
    // another program saves the file: its text stays, and who has not seen it is refused
    std::fs::write(&path, before.replace("format = 1", "# mine\nformat = 1")).unwrap();
    let (status, why) = viewer.ask(
        "POST",
        "/api/desk/edit",
        &mass(&done["version"], "4 kg").to_string(),
    );
    assert_eq!(status, 422, "{}", String::from_utf8_lossy(&why));
    assert!(
        std::fs::read_to_string(&path)
            .unwrap()
            .starts_with("# mine")
    );
    let now = desk(&viewer, "elements", &json!({}));
    let pose = desk(
        &viewer,
        "drag",
        &json!({ "body": 1, "point": [1, 0, 0], "to": [1, 1, 0] }),
    );
    assert_eq!(pose["pose"].as_array().unwrap().len(), 17);
    let _ = desk(&viewer, "drop", &json!({ "version": now["version"] }));
    for (action, request) in [
        ("edit", json!({ "changes": [] })),
        ("edit", json!({ "version": 1, "changes": [] })),
        ("drag", json!({ "body": -1, "point": [0], "to": 3 })),
        ("drop", json!({})),
        ("create", json!({ "space": "planar" })),
        ("create", json!({})),
    ] {
        let target = format!("/api/desk/{action}");
        let (status, _) = viewer.ask("POST", &target, &request.to_string());
        assert_eq!(status, 422, "{action} {request}");
    }
    assert_eq!(viewer.ask("POST", "/api/desk/format", "{}").0, 404);
    drop(viewer.interrupt().exits(0));
}

#[test]
fn a_missing_model_is_created_on_the_page() {
    let place = Place::new();
    let viewer = Viewer::start(&place, &["view", "new.toml", "--no-open"]);
    assert_eq!(
        desk(&viewer, "elements", &json!({})),
        json!({ "missing": true })
    );
    assert!(viewer.session()["scene"].is_null());
    assert!(!place.path("new.toml").exists());
    let _ = desk(&viewer, "create", &json!({ "space": "spatial" }));
    let session = viewer.wait("a scene", |session| !session["scene"].is_null());
    assert_eq!(session["scene"]["space"], "spatial");
    drop(viewer.interrupt().exits(0));
    // it may be a slip of the pen
    let viewer = Viewer::start(&place, &["view", "nwe.toml", "--no-open"]);
    let _ = viewer.session();
    drop(viewer.interrupt().says(&["did you mean new.toml?"]));
    assert!(!place.path("nwe.toml").exists());
    for path in ["nowhere/new.toml", "new"] {
        let refused = place.run(&["view", path, "--no-open"]).exits(2);
        drop(refused.says(&["no such file"]));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn the_token_is_not_among_the_arguments_that_open_the_browser() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new().with("pendulum.toml");
    // a browser that notes what it is given, and what that says
    place.write(
        "xdg-open",
        "#!/bin/sh\n{ echo \"$@\"; cat \"$1\"; } > noted.part\nmv noted.part noted\n",
    );
    let opener = place.path("xdg-open");
    std::fs::set_permissions(&opener, std::fs::Permissions::from_mode(0o755)).unwrap();
    let folder = opener.parent().unwrap().display().to_string();
    let path = std::env::var("PATH").unwrap_or_default();
    let mut command = place.command(&["view", "pendulum.toml"]);
    let viewer = Viewer::of(
        command
            .env("PATH", format!("{folder}:{path}"))
            .env("DISPLAY", ":0"),
    );
    let begun = Instant::now();
    while !place.path("noted").exists() {
        assert!(begun.elapsed() < Duration::from_mins(1), "nothing opened");
        std::thread::sleep(Duration::from_millis(20));
    }
    let noted = place.text("noted");
    let (given, content) = noted.split_once('\n').unwrap();
    assert!(!given.contains(&viewer.token), "{given}");
    let url = format!("http://{}/?token={}", viewer.address, viewer.token);
    assert!(content.contains(&url), "{content}");
    let door = std::path::Path::new(given).parent().unwrap().to_owned();
    let mode = std::fs::metadata(&door).unwrap().permissions().mode();
    assert_eq!(mode & 0o077, 0, "others can look into {}", door.display());
    drop(viewer.interrupt().exits(0));
    assert!(!door.exists(), "{} stays behind", door.display());
}
