//! Whole figures: well-formed, faithful, small, repeatable, and never a panic.

use biela_plot::{
    Color, Dash, Figure, LineShape, MarkerShape, Panel, PlotError, Series, SeriesStyle, Theme,
};
use proptest::prelude::*;
use tiny_skia::Pixmap;

fn small() -> Figure<'static> {
    let panel = Panel::new("time (s)", "torque (N·m)")
        .series(Series::new(
            "drive",
            vec![0.0, 1.0, 2.0, 3.0],
            vec![0.0, 20.0, -10.0, 5.0],
        ))
        .series(Series::new("load", vec![0.0, 3.0], vec![4.0, 4.0]))
        .mark(1.5, "impact");
    Figure::new("Drive")
        .subtitle("rk4")
        .size(400.0, 250.0)
        .panel(panel)
}

/// The words of a document; none if it is not well-formed.
fn texts(svg: &str) -> Vec<String> {
    let Ok(document) = roxmltree::Document::parse(svg) else {
        return Vec::new();
    };
    let texts = document
        .descendants()
        .filter(|node| node.has_tag_name("text"));
    texts
        .filter_map(|node| node.text())
        .map(str::to_owned)
        .collect()
}

#[test]
fn a_small_figure_equals_its_golden_file() {
    let svg = small().to_svg().unwrap();
    let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/small.svg");
    if std::env::var_os("BIELA_BLESS").is_some() {
        std::fs::write(golden, &svg).unwrap();
    }
    let expected = std::fs::read_to_string(golden).unwrap();
    assert_eq!(
        svg, expected,
        "inspect the picture; if the change is intended, run the test again with BIELA_BLESS=1"
    );
}

#[test]
fn a_legend_is_beside_a_panel_that_it_would_cover() {
    let x: Vec<f64> = (0..4000).map(|k| f64::from(k) * 0.01).collect();
    let wave = |rate: f64| x.iter().map(|x| (rate * x).sin()).collect::<Vec<f64>>();
    let full = Panel::new("x", "y")
        .series(Series::new("quick", x.clone(), wave(9.0)))
        .series(Series::new("slow", x.clone(), wave(7.0)))
        .mark(3.0, "here");
    let empty = Panel::new("x", "y")
        .series(Series::new("line", vec![0.0, 40.0], vec![0.0, 1.0]))
        .mark(3.0, "here");
    let is_beside = |panel: Panel<'static>, name: &str| {
        let svg = Figure::new("").size(800.0, 400.0).panel(panel).to_svg();
        let svg = svg.unwrap();
        let document = roxmltree::Document::parse(&svg).unwrap();
        let x = |word: &str| {
            let mut texts = document.descendants().filter(|n| n.has_tag_name("text"));
            let text = texts.find(|node| node.text() == Some(word)).unwrap();
            text.attribute("x").unwrap().parse::<f64>().unwrap()
        };
        // the last number stands near the end of the frame
        let numbers = ["30", "35", "40"];
        let last = texts(&svg)
            .into_iter()
            .filter(|t| numbers.contains(&t.as_str()));
        x(name) > last.map(|t| x(&t)).fold(0.0, f64::max) + 20.0
    };
    assert!(is_beside(full, "quick"));
    assert!(!is_beside(empty, "line"));
}

#[test]
fn all_labels_and_numbers_are_drawn() {
    let texts = texts(&small().to_svg().unwrap());
    let expected = [
        "Drive",
        "rk4",
        "impact",
        "−10",
        "0",
        "10",
        "20",
        "torque (N·m)",
        "time (s)",
        "drive",
        "load",
        "2.5",
    ];
    for word in expected {
        assert!(
            texts.iter().any(|t| t == word),
            "{word} is not in {texts:?}"
        );
    }
}

#[test]
fn names_are_text_and_never_markup() {
    let nasty = "<script>alert(\"1\")</script> & ]]> \u{0} 'x'";
    let panel = Panel::new(nasty, nasty)
        .series(Series::new(nasty, &[0.0, 1.0], &[0.0, 1.0]))
        .mark(0.5, nasty);
    let svg = Figure::new(nasty)
        .subtitle(nasty)
        .size(3000.0, 1500.0)
        .panel(panel)
        .to_svg()
        .unwrap();
    let document = roxmltree::Document::parse(&svg).unwrap();
    let known = ["svg", "title", "g", "rect", "path", "text"];
    for node in document.descendants().filter(roxmltree::Node::is_element) {
        assert!(
            known.contains(&node.tag_name().name()),
            "{:?}",
            node.tag_name()
        );
    }
    let shown = nasty.replace('\u{0}', "\u{fffd}");
    assert!(texts(&svg).contains(&shown), "{:?}", texts(&svg));
}

#[test]
fn a_million_points_stay_small_and_keep_their_peaks() {
    let x: Vec<f64> = (0..1_000_000).map(|i| f64::from(i) * 1e-3).collect();
    let mut y: Vec<f64> = x.iter().map(|t| (7919.0 * t).sin()).collect();
    y[123_456] = 9.0;
    y[765_432] = -9.0;
    let figure = Figure::new("").panel(
        Panel::new("", "")
            .y_range(-10.0, 10.0)
            .series(Series::new("", &x, &y)),
    );
    let svg = figure.to_svg().unwrap();
    assert!(svg.len() < 300_000, "{} bytes", svg.len());

    let document = roxmltree::Document::parse(&svg).unwrap();
    let blue = document
        .descendants()
        .find(|n| n.attribute("stroke") == Some("#0072b2"))
        .unwrap();
    let (top, bottom) = vertical_extent(blue.attribute("d").unwrap());
    let axis: Vec<f64> = document
        .descendants()
        .filter(|n| n.has_tag_name("text") && ["10", "−10"].contains(&n.text().unwrap_or("")))
        .map(|n| n.attribute("y").unwrap().parse().unwrap())
        .collect();
    let per_unit = (axis[0] - axis[1]).abs() / 20.0;
    assert!(
        ((bottom - top) / per_unit - 18.0).abs() < 0.01,
        "{top} {bottom} {per_unit}"
    );
}

/// Least and greatest y of a path of `M` and `l` commands.
fn vertical_extent(path: &str) -> (f64, f64) {
    let mut numbers: Vec<f64> = Vec::new();
    let mut word = String::new();
    for c in path.chars().chain([' ']) {
        let ends = matches!(c, ' ' | '-' | 'M' | 'l') || c == '.' && word.contains('.');
        if ends && !word.is_empty() {
            numbers.extend(word.parse::<f64>());
            word.clear();
        }
        if c.is_ascii_digit() || c == '.' || c == '-' {
            word.push(c);
        }
    }
    let (mut y, mut low, mut high) = (0.0, f64::INFINITY, f64::NEG_INFINITY);
    for step in numbers.iter().skip(1).step_by(2) {
        y += step;
        low = low.min(y);
        high = high.max(y);
    }
    (low, high)
}

#[test]
fn the_same_figure_gives_the_same_bytes() {
    assert_eq!(small().to_svg().unwrap(), small().to_svg().unwrap());
    assert_eq!(small().to_png(1.0).unwrap(), small().to_png(1.0).unwrap());
}

/// Number of pixels at least as dark as a grey in a part of the picture.
fn dark(picture: &Pixmap, x: std::ops::Range<u32>, y: std::ops::Range<u32>) -> usize {
    let pixels = y.flat_map(|row| x.clone().map(move |column| (column, row)));
    pixels
        .filter_map(|(column, row)| picture.pixel(column, row))
        .filter(|p| u32::from(p.red()) + u32::from(p.green()) + u32::from(p.blue()) < 400)
        .count()
}

#[test]
fn a_png_has_its_size_and_its_labels() {
    let png = small().to_png(2.0).unwrap();
    let picture = Pixmap::decode_png(&png).unwrap();
    assert_eq!((picture.width(), picture.height()), (800, 500));
    assert!(dark(&picture, 300..500, 10..60) > 100, "title");
    assert!(
        dark(&picture, 20..46, 100..400) > 100,
        "label of the y axis"
    );
    assert!(
        dark(&picture, 300..560, 450..490) > 100,
        "label of the x axis"
    );
    assert!(
        dark(&picture, 100..780, 425..450) > 100,
        "numbers of the x axis"
    );
    assert_eq!(dark(&picture, 0..800, 0..8), 0, "the rim is empty");
}

#[test]
fn png_and_svg_have_their_lines_at_the_same_position() {
    let constant = Figure::new("").size(400.0, 250.0).panel(
        Panel::new("", "")
            .y_range(0.0, 1.0)
            .series(Series::new("", &[0.0, 1.0], &[0.5, 0.5])),
    );
    let svg = constant.to_svg().unwrap();
    let document = roxmltree::Document::parse(&svg).unwrap();
    let line = document
        .descendants()
        .find(|n| n.attribute("stroke") == Some("#0072b2"))
        .unwrap();
    let (y, _) = vertical_extent(line.attribute("d").unwrap());
    let picture = Pixmap::decode_png(&constant.to_png(1.0).unwrap()).unwrap();
    let is_blue = |row: u32| {
        picture
            .pixel(200, row)
            .is_some_and(|p| p.blue() > 150 && p.red() < 60)
    };
    let rows: Vec<u32> = (0..250).filter(|row| is_blue(*row)).collect();
    assert!(
        !rows.is_empty()
            && rows
                .iter()
                .all(|row| (f64::from(*row) + 0.5 - y).abs() <= 1.0),
        "{rows:?} {y}"
    );
}

#[test]
fn a_gap_in_the_data_is_a_gap_in_the_line() {
    let y = [0.0, 1.0, f64::NAN, 1.0, 0.0];
    let figure = Figure::new("").panel(Panel::new("", "").series(Series::new(
        "",
        &[0.0, 1.0, 2.0, 3.0, 4.0],
        &y,
    )));
    let svg = figure.to_svg().unwrap();
    let document = roxmltree::Document::parse(&svg).unwrap();
    let line = document
        .descendants()
        .find(|n| n.attribute("stroke") == Some("#0072b2"))
        .unwrap();
    assert_eq!(line.attribute("d").unwrap().matches('M').count(), 2);
    assert!(!svg.contains("NaN") && !svg.contains("inf"));
}

#[test]
fn missing_data_is_shown_as_no_data() {
    let nothing = Figure::new("empty").panel(Panel::new("", "").series(Series::new("a", &[], &[])));
    let words = texts(&nothing.to_svg().unwrap());
    assert!(
        words.contains(&"no data".to_owned()) && words.contains(&"a (no data)".to_owned()),
        "{words:?}"
    );
    let negative = Panel::new("", "")
        .log_y()
        .series(Series::new("a", &[1.0, 2.0], &[-1.0, -2.0]));
    assert!(
        texts(&Figure::new("").panel(negative).to_svg().unwrap()).contains(&"no data".to_owned())
    );
    assert!(Figure::new("no panel").to_svg().is_ok());
}

#[test]
fn stacked_panels_share_their_numbers_along_x() {
    let panel = |name: &str| {
        Panel::new("time (s)", name).series(Series::new("", vec![0.0, 8.0], vec![100.0, 900.0]))
    };
    let both = Figure::new("").panel(panel("a")).panel(panel("b"));
    let count = |figure: &Figure<'_>, word: &str| {
        texts(&figure.to_svg().unwrap())
            .iter()
            .filter(|t| *t == word)
            .count()
    };
    assert_eq!((count(&both, "time (s)"), count(&both, "6")), (1, 1));
    let apart = Figure {
        share_x: false,
        ..both
    };
    assert_eq!((count(&apart, "time (s)"), count(&apart, "6")), (2, 2));
}

#[test]
fn an_equal_aspect_draws_a_circle_round() {
    let angle: Vec<f64> = (0..=360).map(|i| f64::from(i).to_radians()).collect();
    let x: Vec<f64> = angle.iter().map(|a| 3.0 * a.cos()).collect();
    let y: Vec<f64> = angle.iter().map(|a| 3.0 * a.sin()).collect();
    let figure = Figure::new("").size(900.0, 400.0).panel(
        Panel::new("x", "y")
            .equal_aspect()
            .series(Series::new("", &x, &y)),
    );
    let picture = Pixmap::decode_png(&figure.to_png(1.0).unwrap()).unwrap();
    let is_blue = |(column, row): (u32, u32)| {
        picture
            .pixel(column, row)
            .is_some_and(|p| p.blue() > 150 && p.red() < 100)
    };
    let blue: Vec<(u32, u32)> = (0..400)
        .flat_map(|row| (0..900).map(move |column| (column, row)))
        .filter(|p| is_blue(*p))
        .collect();
    let span = |values: Vec<u32>| values.iter().max().unwrap() - values.iter().min().unwrap();
    let (wide, high) = (
        span(blue.iter().map(|p| p.0).collect()),
        span(blue.iter().map(|p| p.1).collect()),
    );
    assert!(wide.abs_diff(high) <= 1 && high > 200, "{wide} × {high}");
}

#[test]
fn invalid_figures_are_rejected() {
    let panel = || Panel::new("", "").series(Series::new("a", vec![0.0, 1.0], vec![0.0, 1.0]));
    let figure = Figure::new("").panel(panel());
    assert!(matches!(figure.to_png(0.0), Err(PlotError::Scale { .. })));
    assert!(matches!(figure.to_png(1e6), Err(PlotError::Scale { .. })));
    assert!(matches!(
        figure.clone().size(f64::NAN, 10.0).to_svg(),
        Err(PlotError::Size { .. })
    ));
    let uneven = Figure::new("").panel(Panel::new("", "").series(Series::new("a", &[0.0], &[])));
    let error = uneven.to_svg().unwrap_err();
    assert_eq!(
        error.to_string(),
        "series “a” has 1 x values but 0 y values"
    );

    let many = (0..20).fold(Figure::new("").size(800.0, 300.0), |figure, _| {
        figure.panel(panel())
    });
    let Err(PlotError::TooLow { needed, .. }) = many.to_svg() else {
        panic!("20 panels in 300 units")
    };
    assert!(many.clone().size(800.0, needed).to_svg().is_ok());
    assert!(
        Figure {
            height: None,
            ..many
        }
        .to_svg()
        .is_ok()
    );
}

fn any_number() -> impl Strategy<Value = f64> {
    prop_oneof![4 => -10.0..10.0_f64, 1 => any::<f64>(), 1 => Just(f64::NAN), 1 => Just(0.0), 1 => Just(1e-300), 1 => Just(f64::MAX)]
}

fn any_style() -> impl Strategy<Value = SeriesStyle> {
    let line = prop_oneof![
        Just(LineShape::Straight),
        Just(LineShape::Steps),
        Just(LineShape::None)
    ];
    let marker = prop_oneof![
        Just(MarkerShape::Circle),
        Just(MarkerShape::Square),
        Just(MarkerShape::Triangle),
        Just(MarkerShape::Cross)
    ];
    let width = prop::option::of(any::<f64>());
    (line, prop::option::of(marker), width, any::<bool>()).prop_map(
        |(line, marker, width, custom)| SeriesStyle {
            color: custom.then_some(Color::hex(0x12_3456)),
            dash: custom.then_some(Dash::Dotted),
            width,
            line,
            marker,
        },
    )
}

fn any_series() -> impl Strategy<Value = Series<'static>> {
    (
        ".{0,12}",
        prop::collection::vec((any_number(), any_number()), 0..30),
        any_style(),
    )
        .prop_map(|(name, points, style)| {
            let (x, y): (Vec<f64>, Vec<f64>) = points.into_iter().unzip();
            Series::new(name, x, y).style(style)
        })
}

fn any_panel() -> impl Strategy<Value = Panel<'static>> {
    let series = prop::collection::vec(any_series(), 0..9);
    let marks = prop::collection::vec((any_number(), ".{0,20}"), 0..5);
    let range = || prop::option::of((any_number(), any_number()));
    (
        series,
        marks,
        range(),
        range(),
        any::<[bool; 3]>(),
        any_number(),
        ".{0,20}",
    )
        .prop_map(
            |(
                series,
                marks,
                x_range,
                y_range,
                [log_x, log_y, equal_aspect],
                noise_floor,
                label,
            )| {
                let empty = Panel::new(label.clone(), label);
                let panel = Panel {
                    series,
                    x_range,
                    y_range,
                    log_x,
                    log_y,
                    equal_aspect,
                    noise_floor,
                    ..empty
                };
                marks
                    .into_iter()
                    .fold(panel, |panel, (x, label)| panel.mark(x, label))
            },
        )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn any_input_gives_a_well_formed_picture_or_an_error(
        panels in prop::collection::vec(any_panel(), 0..4),
        title in ".{0,40}", width in 90.0..900.0_f64, height in 90.0..700.0_f64, font_size in any::<f64>(), share_x in any::<bool>(),
    ) {
        let theme = Theme { font_size, ..Theme::dark() };
        let figure = Figure { panels, share_x, ..Figure::new(title).size(width, height).theme(theme) };
        match figure.to_svg() {
            Ok(svg) => {
                prop_assert!(roxmltree::Document::parse(&svg).is_ok());
                prop_assert!(!svg.contains("NaN") && !svg.contains("\"inf"));
                prop_assert!(figure.to_png(0.5).is_ok());
            }
            Err(PlotError::Size { .. } | PlotError::TooLow { .. }) => {}
            Err(other) => prop_assert!(false, "{}", other),
        }
    }
}
