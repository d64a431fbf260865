//! Images of small scenes, checked by their pixels.

#![allow(clippy::unwrap_used)]

use super::*;
use crate::scene::{SceneShape, ShapeGeometry};

/// A ball whose position is given by a frame.
fn ball(space: SceneSpace) -> Scene {
    let mut scene = empty(space);
    let mut body = scene.bodies[0].clone();
    body.name = "ball".to_owned();
    body.shapes = vec![SceneShape {
        form: ShapeGeometry::Sphere { radius: 0.1 },
        pose: [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0],
        color: Some("#ff0000".to_owned()),
        generated: false,
    }];
    scene.bodies.push(body);
    scene.frame_size = 2 * POSE;
    scene.pose.extend([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
    scene
}

fn frame(scene: &Scene, x: f32, y: f32) -> Vec<f32> {
    let mut frame = scene.pose.clone();
    (frame[POSE], frame[POSE + 1]) = (x, y);
    frame
}

/// The centre of the red pixels.
fn middle(pixels: &[u8], width: usize) -> Option<(f32, f32)> {
    let red = |p: &[u8]| p[0] > 90 && p[1] < 60 && p[2] < 60;
    let places: Vec<(f32, f32)> = pixels
        .chunks_exact(3)
        .enumerate()
        .filter(|(_, p)| red(p))
        .map(|(i, _)| ((i % width) as f32, (i / width) as f32))
        .collect();
    let n = places.len() as f32;
    let sum = places
        .iter()
        .fold((0.0, 0.0), |s, p| (s.0 + p.0, s.1 + p.1));
    (n > 0.0).then(|| (sum.0 / n, sum.1 / n))
}

#[test]
fn a_body_is_drawn_at_its_pose_and_moves_with_the_frame() {
    let scene = ball(SceneSpace::Planar);
    let frames = [frame(&scene, -1.0, 0.0), frame(&scene, 1.0, 0.5)];
    let look = ImageSettings {
        size: [300, 200],
        view: ViewDirection::Auto,
        dark: false,
        contacts: true,
    };
    let mut painter = Painter::new(&scene, look, frames.iter().map(Vec::as_slice), &|_| None);
    let left = painter.paint(&frames[0]);
    let right = painter.paint(&frames[1]);
    let (a, b) = (middle(&left, 300), middle(&right, 300));
    let (Some(a), Some(b)) = (a, b) else {
        panic!("the ball is not in the picture");
    };
    assert!(a.0 < 60.0 && b.0 > 240.0, "{a:?} {b:?}");
    assert!(
        a.1 > b.1 + 20.0,
        "up in the model is up in the picture: {a:?} {b:?}"
    );
    assert_eq!(painter.paint(&frames[0]), left, "pictures repeat");
}

#[test]
fn ghosts_are_fainter_than_the_pose_and_traces_connect_them() {
    let scene = ball(SceneSpace::Planar);
    let [ghost, pose] = [frame(&scene, -1.0, 0.0), frame(&scene, 1.0, 0.0)];
    let look = ImageSettings {
        size: [300, 200],
        view: ViewDirection::Auto,
        dark: false,
        contacts: true,
    };
    let trace = [[-1.0, 0.0, 0.0], [0.0, 0.4, 0.0], [1.0, 0.0, 0.0]];
    let shown = [&ghost, &pose].map(Vec::as_slice);
    let mut painter = Painter::around(&scene, look, shown.into_iter(), &trace, &|_| None);
    let alone = painter.paint(&pose);
    let pixels = painter.paint_shot(&Shot {
        frame: &pose,
        ghosts: std::slice::from_ref(&ghost),
        traces: &[&trace],
    });
    // the largest difference of red and green in a short column of pixels
    let red = |pixels: &[u8], [x, y]: [usize; 2]| {
        let reds = (y - 3..y + 4).map(|y| {
            let p = &pixels[3 * (300 * y + x)..][..3];
            i32::from(p[0]) - i32::from(p[1])
        });
        reds.max().unwrap()
    };
    // the balls below the path, and the path half way up
    let [left, right, path] = [[24, 126], [276, 126], [87, 94]];
    assert!(red(&alone, left) < 10 && red(&alone, right) > 100);
    let [faint, full] = [left, right].map(|at| red(&pixels, at));
    assert!(faint > 20 && faint < full / 2, "{faint} {full}");
    let [without, with] = [&alone, &pixels].map(|pixels| red(pixels, path));
    assert!(without < 10 && with > 60, "{without} {with}");
}

#[test]
fn the_ground_near_the_camera_is_drawn() {
    // a small ball on a plate that extends behind the eye
    let mut scene = ball(SceneSpace::Spatial);
    scene.bodies[0].shapes = vec![SceneShape {
        form: ShapeGeometry::Box {
            size: [50.0, 50.0, 0.02],
        },
        pose: [0.0, 0.0, -0.11, 0.0, 0.0, 0.0, 1.0],
        color: Some("#0000ff".to_owned()),
        generated: false,
    }];
    let look = ImageSettings {
        size: [300, 200],
        view: ViewDirection::Auto,
        dark: false,
        contacts: true,
    };
    let mut painter = Painter::new(&scene, look, std::iter::empty(), &|_| None);
    let pixels = painter.paint(&scene.pose);
    let blue = |x: usize, y: usize| {
        let p = &pixels[3 * (300 * y + x)..][..3];
        p[2] > 80 && p[0] < 60
    };
    for x in [10, 150, 290] {
        assert!(blue(x, 195), "nothing below at {x}");
    }
    let ball = middle(&pixels, 300).unwrap();
    assert!((ball.0 - 150.0).abs() < 10.0, "{ball:?}");
}

#[test]
fn distance_joints_and_cylinders_are_drawn() {
    let pose = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0];
    let mut rod = ball(SceneSpace::Planar);
    rod.joints.push(crate::scene::SceneJoint {
        name: "rod".to_owned(),
        kind: "distance".to_owned(),
        bodies: [0, 1],
        frames: [[0.0, 3.0, 0.0, 0.0, 0.0, 0.0, 1.0], pose],
        axis: None,
        coordinates: Vec::new(),
        freedom: 2,
    });
    let mut cylinder = ball(SceneSpace::Planar);
    let end = |body: usize, y: f64| crate::scene::AttachmentPoint {
        body,
        point: [0.0, y, 0.0],
    };
    cylinder.forces.push(crate::scene::SceneForce {
        name: "damper".to_owned(),
        kind: "spring-damper".to_owned(),
        drawn: SceneForceKind::Cylinder,
        ends: vec![end(0, 3.0), end(1, 0.0)],
        joint: None,
    });
    let look = ImageSettings {
        size: [120, 200],
        view: ViewDirection::Auto,
        dark: false,
        contacts: true,
    };
    // pixels that differ from the image without it, in a row of the image
    let dark = |scene: &Scene, row: usize| {
        let frame = frame(scene, 0.0, 0.0);
        let mut painter = Painter::new(scene, look, [frame.as_slice()].into_iter(), &|_| None);
        let pixels = painter.paint(&frame);
        let row = &pixels[3 * 120 * row..][..3 * 120];
        row.chunks_exact(3).filter(|p| p[0] < 130).count()
    };
    for row in [60, 100, 140] {
        assert!(dark(&rod, row) >= 2, "row {row}");
    }
    // the barrel, then the rod
    let (barrel, thin) = (dark(&cylinder, 60), dark(&cylinder, 150));
    assert!(barrel >= thin + 3 && thin >= 2, "{barrel} {thin}");
}

/// A straight beam of length 2 along x with a rectangular section.
fn beam(space: SceneSpace, width: f64, height: f64) -> Scene {
    let (y, z) = (0.5 * width, 0.5 * height);
    let block = vec![vec![[y, z], [-y, z], [-y, -z], [y, -z]]];
    let mut scene = empty(space);
    scene.beams.push(crate::scene::SceneBeam {
        name: "beam".to_owned(),
        mass: 1.0,
        samples: 3,
        radius: 0.2,
        section: Some(crate::scene::SceneSection {
            start: block.clone(),
            end: block,
            faces: vec![[0, 1, 2], [0, 2, 3]],
            round: false,
            nodes: Vec::new(),
        }),
        value: crate::scene::BeamValue {
            name: "bending moment".to_owned(),
            unit: "N*m".to_owned(),
        },
    });
    for x in [0.0, 1.0, 2.0] {
        scene.pose.extend([x, 0.0, 0.0, 0.0]);
    }
    scene.frame_size = scene.pose.len();
    scene
}

#[test]
fn a_rectangular_beam_is_drawn_with_its_section() {
    let look = ImageSettings {
        size: [400, 300],
        view: ViewDirection::Auto,
        dark: false,
        contacts: true,
    };
    // pixels of the beam in a column and in a row through its middle
    let spans = |scene: &Scene| {
        let mut painter = Painter::new(scene, look, std::iter::empty(), &|_| None);
        let pixels = painter.paint(&scene.pose);
        let blue = |k: usize| pixels[3 * k] < 80 && pixels[3 * k + 2] > 60;
        let column = (0..300).filter(|row| blue(400 * row + 200)).count();
        let row = (0..400).filter(|k| blue(400 * 150 + k)).count();
        [column, row]
    };
    for (width, height, share) in [(0.1, 0.5, 0.25), (0.5, 0.1, 0.05)] {
        let scene = beam(SceneSpace::Planar, width, height);
        assert_eq!(scene.problem(), None);
        let [column, row] = spans(&scene);
        let off = column as f32 - share * row as f32;
        assert!(row > 200 && off.abs() < 3.0, "{column} {row}");
    }
}

#[test]
fn invalid_sections_are_rejected() {
    type Change = fn(&mut crate::scene::SceneSection);
    let changes: [Change; 8] = [
        |s| s.start[0][1][0] = f64::INFINITY,
        |s| s.end[0][1][1] = 1e300,
        |s| s.end[0].truncate(3),
        |s| s.end.clear(),
        |s| s.faces[0][1] = 4,
        |s| s.faces = vec![[0, 1, 2]; 100],
        |s| {
            s.nodes = vec![
                crate::scene::BeamNode {
                    body: 1,
                    share: 0.5
                };
                3
            ];
        },
        |s| {
            s.nodes = vec![
                crate::scene::BeamNode {
                    body: 0,
                    share: 0.5
                };
                2
            ];
        },
    ];
    for (k, change) in changes.into_iter().enumerate() {
        let mut scene = beam(SceneSpace::Spatial, 0.1, 0.2);
        let section = scene.beams[0].section.as_mut();
        change(section.expect("the beam has a section"));
        let problem = scene.problem().unwrap_or_default();
        assert!(problem.contains("section"), "{k}: {problem}");
    }
    let mut large = beam(SceneSpace::Spatial, 0.1, 0.2);
    large.beams[0].samples = 2_000_000;
    large.frame_size = POSE + SAMPLE * 2_000_000;
    large.pose = vec![0.0; large.frame_size];
    assert!(large.problem().is_some());
    // older files have no section
    let mut text = serde_json::to_value(beam(SceneSpace::Planar, 0.1, 0.2)).unwrap();
    let _ = text["beams"][0].as_object_mut().unwrap().remove("section");
    let old: Scene = serde_json::from_value(text).unwrap();
    assert!(old.problem().is_none() && old.beams[0].section.is_none());
}

#[test]
fn missing_and_short_frames_do_not_panic() {
    for space in [SceneSpace::Planar, SceneSpace::Spatial] {
        let scene = ball(space);
        let lost = frame(&scene, f32::NAN, f32::INFINITY);
        let look = ImageSettings {
            size: [64, 48],
            view: ViewDirection::Auto,
            dark: true,
            contacts: true,
        };
        let mut painter = Painter::new(&scene, look, [lost.as_slice()].into_iter(), &|_| None);
        let _ = painter.paint(&lost);
        assert_eq!(painter.paint(&[1.0, 2.0]).len(), 3 * 64 * 48);
    }
}

#[test]
fn grid_spacings_are_round_numbers() {
    for (x, step) in [(0.7, 0.5), (1.0, 1.0), (3.9, 2.0), (49.0, 20.0)] {
        assert!((round_below(x) / step - 1.0).abs() < 1e-5);
    }
}

/// A ball on the half-plane y ≤ 0, in stick (1) or in slip (2), or above it (0), with a force of 1 N.
fn resting(state: f32) -> (Scene, Vec<f32>) {
    let mut scene = ball(SceneSpace::Planar);
    let surface = |kind: &str, body: usize, outline: Vec<[f64; 3]>| crate::scene::SceneSurface {
        kind: kind.to_owned(),
        body,
        pose: [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0],
        outline: vec![outline],
        unbounded: kind == "line",
    };
    let line = surface("line", 0, vec![[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]]);
    let point = surface("point", 1, vec![[0.0, -0.1, 0.0]]);
    scene.contacts.push(crate::scene::SceneContact {
        name: "floor".to_owned(),
        surfaces: vec![line, point],
        points: 1,
    });
    scene.frame_size += crate::scene::TOUCH;
    scene.pose[POSE + 1] = 0.1;
    let closed = [state, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0];
    scene.pose.extend(closed);
    let frame = scene.pose.clone();
    (scene, frame)
}

#[test]
fn closed_contacts_have_an_arrow_in_the_colour_of_their_state() {
    // numbers of blue and of orange pixels
    let seen = |state: f32, contacts: bool| {
        let (scene, frame) = resting(state);
        assert_eq!(scene.problem(), None);
        let look = ImageSettings {
            size: [300, 200],
            view: ViewDirection::Auto,
            dark: false,
            contacts,
        };
        let frames = std::iter::once(frame.as_slice());
        let pixels = Painter::new(&scene, look, frames, &|_| None).paint(&frame);
        let count =
            |shown: &dyn Fn(&[u8]) -> bool| pixels.chunks_exact(3).filter(|p| shown(p)).count();
        let blue = count(&|p| p[2] > 70 && p[0] < 50 && p[2] > p[1] + 20);
        let orange = count(&|p| p[0] > 70 && p[2] < 40 && p[1] > p[2] + 20);
        (blue, orange)
    };
    let (stick, slip) = (seen(1.0, true), seen(2.0, true));
    assert!(stick.0 > 60 && stick.1 == 0, "{stick:?}");
    assert!(slip.1 > 60 && slip.0 == 0, "{slip:?}");
    assert_eq!([seen(0.0, true), seen(1.0, false)], [(0, 0); 2]);
}

#[test]
fn a_line_is_drawn_across_the_image_with_its_material_below() {
    let (scene, frame) = resting(0.0);
    let painted = |contacts: bool| {
        let look = ImageSettings {
            size: [300, 200],
            view: ViewDirection::Auto,
            dark: false,
            contacts,
        };
        let frames = std::iter::once(frame.as_slice());
        Painter::new(&scene, look, frames, &|_| None).paint(&frame)
    };
    let (with, without) = (painted(true), painted(false));
    let dark = |pixels: &[u8], row: usize, k: usize| pixels[3 * (300 * row + k)] < 140;
    let full = |row: &usize| (0..300).all(|k| dark(&with, *row, k));
    let line = (0..200).find(full);
    assert!(line.is_some(), "a dark row");
    assert!((0..200).all(|row| !(0..300).all(|k| dark(&without, row, k))));
}

#[test]
fn a_scene_without_contacts_of_an_older_version_is_read() {
    let scene = ball(SceneSpace::Planar);
    let mut json = serde_json::to_value(&scene).unwrap();
    let removed = json.as_object_mut().unwrap().remove("contacts");
    assert!(removed.is_some());
    let read: Scene = serde_json::from_value(json).unwrap();
    assert_eq!((read.problem(), read), (None, scene));
}
