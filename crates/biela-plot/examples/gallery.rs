//! Draws a gallery of figures into the folder named on the command line: `cargo run -p biela-plot --example gallery -- out`.

use biela_plot::{
    Figure, LineShape, MarkerShape, Panel, PlotError, Series, SeriesStyle, Sketch, Theme,
};
use std::{f64::consts::TAU, fs, io::Write as _, path::Path};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).ok_or("usage: gallery FOLDER")?;
    fs::create_dir_all(&folder)?;
    let figures: [(&str, Figure<'_>); 9] = [
        ("slider-crank", slider_crank()),
        ("stacked", stacked()),
        ("trajectory", trajectory()),
        ("robot", robot()),
        ("frequency-response", frequency_response()),
        ("million", million()),
        ("awkward", awkward()),
        ("sampled", sampled()),
        ("offset", offset()),
    ];
    for (name, figure) in figures {
        write(&folder, name, &figure)?;
    }
    let (x, y) = curve(400, 10.0, |t| (-0.3 * t).exp() * (3.0 * t).cos());
    let envelope: Vec<f64> = x.iter().map(|t| (-0.3 * t).exp()).collect();
    let sketch = Sketch {
        x_label: "time (s)".into(),
        y_label: "angle (rad)".into(),
        ..Sketch::default()
    };
    let text = sketch.draw(&[
        Series::new("pendulum", &x, &y),
        Series::new("envelope", &x, &envelope),
    ])?;
    std::io::stdout().write_all(text.as_bytes())?;
    Ok(())
}

fn write(folder: &str, name: &str, figure: &Figure<'_>) -> Result<(), Box<dyn std::error::Error>> {
    let file = |extension: &str| Path::new(folder).join(format!("{name}.{extension}"));
    let svg: Result<String, PlotError> = figure.to_svg();
    fs::write(file("svg"), svg?)?;
    fs::write(file("png"), figure.to_png(1.5)?)?;
    Ok(())
}

fn curve(count: u32, end: f64, f: impl Fn(f64) -> f64) -> (Vec<f64>, Vec<f64>) {
    let x: Vec<f64> = (0..=count)
        .map(|i| end * f64::from(i) / f64::from(count))
        .collect();
    let y = x.iter().map(|t| f(*t)).collect();
    (x, y)
}

fn slider_crank() -> Figure<'static> {
    let (t, x) = curve(2000, 0.5, |t| 0.0508 * (60.0 * t * t).cos() + 0.15);
    let (_, demand) = curve(2000, 0.5, |t| 0.0508 * (58.0 * t * t).cos() + 0.15);
    let panel = Panel::new("time (s)", "position (m)")
        .series(Series::new("slider.x", t.clone(), x))
        .series(Series::new("slider.x reference", t, demand))
        .mark(0.1, "torque on")
        .mark(0.33, "dead centre")
        .mark(0.335, "sticking begins");
    Figure::new("Slider-crank with friction")
        .subtitle("absolute coordinates, RK4, step 0.25 ms")
        .panel(panel)
}

fn stacked() -> Figure<'static> {
    let (t, angle) = curve(3000, 10.0, |t| 3.0 * (-0.2 * t).exp() * (4.0 * t).sin());
    let (_, torque) = curve(3000, 10.0, |t| {
        23_000.0 * (-0.2 * t).exp() * (4.0 * t).cos()
    });
    let (_, error) = curve(3000, 10.0, |t| 4e-8 * t * (40.0 * t).sin().abs());
    let (_, energy) = curve(3000, 10.0, |t| 1e-17 * (900.0 * t).sin());
    Figure::new("Pendulum")
        .panel(
            Panel::new("time (s)", "angle (rad)")
                .series(Series::new("θ", t.clone(), angle))
                .mark(2.0, "release"),
        )
        .panel(
            Panel::new("time (s)", "torque (N·m)")
                .series(Series::new("pin.reaction", t.clone(), torque))
                .mark(9.98, "stop"),
        )
        .panel(
            Panel::new("time (s)", "constraint error (m)").series(Series::new(
                "‖Φ‖",
                t.clone(),
                error,
            )),
        )
        .panel(Panel::new("time (s)", "energy (J)").series(Series::new(
            "kinetic + potential",
            t,
            energy,
        )))
}

fn trajectory() -> Figure<'static> {
    let (t, x) = curve(200_000, 400.0, |t| {
        t.cos() * (1.0 + 0.3 * (0.618 * t).sin())
    });
    let y: Vec<f64> = t
        .iter()
        .map(|t| 0.7 * t.sin() * (1.0 + 0.3 * (0.618 * t).sin()))
        .collect();
    let (a, cx) = curve(100, TAU, f64::cos);
    let cy: Vec<f64> = a.iter().map(|a| a.sin()).collect();
    let panel = Panel::new("x (m)", "y (m)")
        .series(Series::new("foot", x, y))
        .series(Series::new("unit circle", cx, cy))
        .equal_aspect();
    Figure::new("Trajectory of a point")
        .size(640.0, 560.0)
        .panel(panel)
}

fn robot() -> Figure<'static> {
    let mut panel = Panel::new("time (s)", "joint torque (N·m)");
    for joint in 0..12 {
        let (t, y) = curve(800, 4.0, |t| {
            (f64::from(joint) * 0.7 + 3.0 * t).sin() * 40.0 / (1.0 + f64::from(joint))
        });
        panel = panel.series(Series::new(
            format!("arm.joint{joint}.actuator.torque.commanded"),
            t,
            y,
        ));
    }
    Figure::new("Robot arm: a title so long that it cannot possibly fit in the width of this figure and is shortened in the middle").panel(panel)
}

fn frequency_response() -> Figure<'static> {
    let f: Vec<f64> = (0..=600)
        .map(|i| 10_f64.powf(-1.0 + f64::from(i) / 150.0))
        .collect();
    let gain: Vec<f64> = f
        .iter()
        .map(|f| 1.0 / ((1.0 - f * f / 100.0).powi(2) + (0.004 * f).powi(2)).sqrt())
        .collect();
    let phase: Vec<f64> = f
        .iter()
        .map(|f| -(0.004 * f).atan2(1.0 - f * f / 100.0).to_degrees())
        .collect();
    Figure::new("Frequency response")
        .theme(Theme::dark())
        .panel(
            Panel::new("frequency (Hz)", "gain (m/N)")
                .series(Series::new("tip", f.clone(), gain))
                .log_x()
                .log_y(),
        )
        .panel(
            Panel::new("frequency (Hz)", "phase (°)")
                .series(Series::new("tip", f, phase))
                .log_x(),
        )
}

fn million() -> Figure<'static> {
    let mut seed = 1_u64;
    let (t, mut y) = curve(1_000_000, 1000.0, |t| (0.02 * t).sin());
    for v in &mut y {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        *v += ((seed >> 33) as f64 / 2_147_483_648.0 - 0.5) * 0.4;
    }
    y[400_000] = 3.0;
    let (_, mean) = curve(1_000_000, 1000.0, |t| (0.02 * t).sin());
    let panel = Panel::new("time (s)", "acceleration (m/s²)")
        .series(Series::new("measured", t.clone(), y))
        .series(Series::new("model", t, mean));
    Figure::new("A million samples, one of them a spike").panel(panel)
}

fn awkward() -> Figure<'static> {
    let (t, mut gaps) = curve(300, 1.0, |t| 5.0 + t);
    for i in (60..90).chain([200, 202]) {
        gaps[i] = f64::NAN;
    }
    let constant = vec![20.0; t.len()];
    let panel = Panel::new(
        "",
        "a label that is far too long for the height of its panel (kg·m²/s)",
    )
    .series(Series::new("with <gaps> & \"quotes\"", t.clone(), gaps))
    .series(Series::new("nothing", Vec::new(), Vec::new()));
    Figure::new("Gaps, constants and no data")
        .size(800.0, 560.0)
        .panel(panel)
        .panel(Panel::new("", "constant (N)").series(Series::new("preload", t, constant)))
        .panel(Panel::new("time (s)", "empty"))
}

fn sampled() -> Figure<'static> {
    let (t, y) = curve(40, 2.0, |t| (3.0 * t).sin());
    let (fine, reference) = curve(400, 2.0, |t| (3.0 * t).sin());
    let style = |line, marker| SeriesStyle {
        line,
        marker,
        ..SeriesStyle::default()
    };
    let shifted = |by: f64| y.iter().map(|v| v + by).collect::<Vec<_>>();
    let panel = Panel::new("time (s)", "current (A)")
        .series(Series::new("held", t.clone(), y.clone()).style(style(LineShape::Steps, None)))
        .series(
            Series::new("measured", t.clone(), shifted(0.5))
                .style(style(LineShape::None, Some(MarkerShape::Circle))),
        )
        .series(
            Series::new("squares", t.clone(), shifted(1.0))
                .style(style(LineShape::Straight, Some(MarkerShape::Square))),
        )
        .series(
            Series::new("triangles", t.clone(), shifted(1.5))
                .style(style(LineShape::None, Some(MarkerShape::Triangle))),
        )
        .series(
            Series::new("crosses", t.clone(), shifted(2.0))
                .style(style(LineShape::None, Some(MarkerShape::Cross))),
        )
        .series(Series::new("reference", fine, reference));
    Figure::new("A sampled controller").panel(panel)
}

fn offset() -> Figure<'static> {
    let (t, y) = curve(500, 86_400.0, |t| 101_325.0 + 0.02 * (t / 8000.0).sin());
    Figure::new("")
        .size(420.0, 260.0)
        .panel(Panel::new("time (s)", "pressure (Pa)").series(Series::new("tank", t, y)))
}
