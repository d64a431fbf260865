//! Reads the cards item by item.
//!
//! Items 1 to 24 follow the sample decks. Where the manual differs, the samples are authoritative: item 11 (masses) is present, items 18 and 20 contain body
//! and component on one card and p − 1 further points, item 21 has no joint number.

use super::cards::{Card, CardNumber, Cards};
use super::deck::{BodySpans, Deck, Loop, SismulBar, SismulProfile, Vertical};
use crate::diagnostic::{Diagnostic, Diagnostics, SourceId, Span};

/// The maximum number of printed outputs.
const MOST_PRINTS: f64 = 1e6;

/// Reads the cards; `None` if the remaining cards cannot be interpreted, which was reported.
pub(super) fn deck(text: &str, source: SourceId, diagnostics: &Diagnostics) -> Option<Deck> {
    let mut reading = DeckReader {
        cards: Cards::new(text, source, diagnostics),
        diagnostics,
    };
    let deck = reading.deck();
    if deck.is_some() {
        reading.cards.finish();
    }
    deck
}

struct DeckReader<'t> {
    cards: Cards<'t>,
    diagnostics: &'t Diagnostics,
}

fn triple(card: &Card<f64>, from: usize) -> [f64; 3] {
    std::array::from_fn(|i| card.fields.get(from + i).map_or(0.0, |field| field.value))
}

impl DeckReader<'_> {
    fn error(&self, code: &'static str, message: String, span: Span, label: &str, help: &str) {
        let error = Diagnostic::error(code, message).at(span, label).help(help);
        self.diagnostics.push(error);
    }

    /// A switch 0 or 1; without it the following cards are ambiguous.
    fn switch(&mut self, what: &str, meaning: &str) -> Option<bool> {
        let read = self.cards.integer(what)?;
        match read.value {
            0 => Some(false),
            1 => Some(true),
            other => {
                let message = format!("{what} must be 0 or 1");
                self.error(
                    "bad-code",
                    message,
                    read.span,
                    &format!("this is {other}"),
                    meaning,
                );
                None
            }
        }
    }

    /// A number of items, from `least` to `most`.
    fn count(&mut self, what: &str, least: i64, most: i64) -> Option<usize> {
        let read = self.cards.integer(what)?;
        if (least..=most).contains(&read.value) {
            return usize::try_from(read.value).ok();
        }
        let message = format!("{what} must be from {least} to {most}");
        let help = "the cards that follow cannot be read without it";
        self.error(
            "bad-count",
            message,
            read.span,
            &format!("this is {}", read.value),
            help,
        );
        None
    }

    fn deck(&mut self) -> Option<Deck> {
        let title = self.cards.title("item 1, the title", 60)?.to_owned();
        let gravity_on = self.switch("item 2, gravity on or off", "1 for weight, 0 for none");
        let vertical = if gravity_on? {
            Some(self.vertical()?)
        } else {
            None
        };
        let planar = self.switch("item 4, two or three dimensions", "1 for 2-D, 0 for 3-D")?;
        let closed = self.switch("item 5, closed loop", "1 for a loop, 0 for none")?;
        let count = self.count("item 6, the number of bodies", 1, 9999)?;
        let labels = self.cards.labels("item 7, labels of mass centres", count)?;
        let joint_labels = self.cards.labels("item 8, labels of joints", count)?;
        let lower = self.lower(count)?;
        let gravity = *self.cards.reals("item 10, gravity", 1)?.fields.first()?;
        if vertical.is_some() && gravity.value < 0.0 {
            let message = "item 10: gravity is negative, so that the weight points upwards";
            let warning = Diagnostic::warning("odd-gravity", message).at(gravity.span, "");
            self.diagnostics
                .push(warning.help("give its magnitude; item 3 is the direction"));
        }
        let masses = self.masses(count)?;
        let mut q = vec![[0.0; 3]];
        for k in 2..=count {
            q.push(self.vector(&format!("item 12, vector q of body {k}"))?);
        }
        let mut r = Vec::with_capacity(count);
        for k in 1..=count {
            r.push(self.vector(&format!("item 13, vector r of body {k}"))?);
        }
        let mut inertia = Vec::with_capacity(count);
        for k in 1..=count {
            inertia.push(self.inertia(k)?);
        }
        let closure = if closed {
            Some(self.closure(count)?)
        } else {
            None
        };
        let angular = self.profiles(17, "angles", count)?;
        let linear = self.profiles(19, "translations", count)?;
        let mut flags = Vec::with_capacity(count);
        for k in 1..=count {
            flags.push(self.flags(k)?);
        }
        let mut starts = Vec::with_capacity(count);
        for k in 1..=count {
            starts.push(self.initial(k)?);
        }
        let times = self.cards.reals("item 23, times, step and tolerance", 4)?;
        let print = self.cards.reals("item 24, print interval", 1)?;

        let bodies = (0..count)
            .map(|k| {
                let (xi, angles) = &starts[k];
                SismulBar {
                    label: labels[k].to_owned(),
                    joint_label: joint_labels[k].to_owned(),
                    lower: lower[k],
                    mass: masses[k].value,
                    q: q[k],
                    r: r[k],
                    inertia: inertia[k].0,
                    locked: flags[k].0,
                    xi: triple(xi, 0),
                    xi_rate: triple(xi, 3),
                    angles: triple(angles, 0),
                    angle_rates: triple(angles, 3),
                    places: BodySpans {
                        mass: masses[k].span,
                        inertia: inertia[k].1,
                        flags: flags[k].1,
                        xi: xi.span,
                        angles: angles.span,
                    },
                }
            })
            .collect();
        let [start, end, step] = triple(&times, 0);
        let deck = Deck {
            title,
            vertical,
            planar,
            gravity: gravity.value,
            bodies,
            closure,
            angular,
            linear,
            start,
            end,
            // a negative step −m is 2⁻ᵐ
            step: if step < 0.0 { step.exp2() } else { step },
            tolerance: times.fields.get(3).map_or(0.0, |field| field.value),
            print: print.fields.first().map_or(0.0, |field| field.value),
        };
        self.check_times(&deck, times.span, print.span);
        Some(deck)
    }

    fn vector(&mut self, what: &str) -> Option<[f64; 3]> {
        Some(triple(&self.cards.reals(what, 3)?, 0))
    }

    /// Item 3; an invalid code is reported and replaced by Y.
    fn vertical(&mut self) -> Option<Vertical> {
        let read = self.cards.integer("item 3, the vertical")?;
        let axis = [1, 2, 3]
            .iter()
            .position(|axis| *axis == read.value.unsigned_abs());
        if axis.is_none() {
            let help = "1, 2 or 3 when X, Y or Z points up, negative when it points down";
            let message =
                "item 3, the vertical, must be 1, 2 or 3, or one of them with a minus".to_owned();
            let label = format!("this is {}", read.value);
            self.error("bad-code", message, read.span, &label, help);
        }
        Some(Vertical {
            axis: axis.unwrap_or(1),
            sign: if read.value < 0 { -1.0 } else { 1.0 },
        })
    }

    /// Item 9: ten per card.
    fn lower(&mut self, count: usize) -> Option<Vec<usize>> {
        let mut lower = Vec::with_capacity(count);
        while lower.len() < count {
            let many = 10.min(count - lower.len());
            let card = self.cards.integers("item 9, the lower bodies", many)?;
            for read in card.fields {
                let k = lower.len() + 1;
                let found = usize::try_from(read.value).ok().filter(|&j| j < k);
                if found.is_none() {
                    let message =
                        format!("item 9: the lower body of body {k} must have a lower number");
                    let help = "number the bodies from the inertial frame (0) outwards";
                    self.error(
                        "bad-tree",
                        message,
                        read.span,
                        &format!("this is {}", read.value),
                        help,
                    );
                }
                lower.push(found.unwrap_or(0));
            }
        }
        Some(lower)
    }

    /// Item 11: five per card.
    fn masses(&mut self, count: usize) -> Option<Vec<CardNumber<f64>>> {
        let mut masses = Vec::with_capacity(count);
        while masses.len() < count {
            let many = 5.min(count - masses.len());
            let card = self.cards.reals("item 11, the masses", many)?;
            for read in card.fields {
                if read.value < 0.0 {
                    let message =
                        format!("item 11: the mass of body {} is negative", masses.len() + 1);
                    self.error(
                        "bad-mass",
                        message,
                        read.span,
                        "",
                        "give a mass, or 0 for a clamped body",
                    );
                }
                masses.push(read);
            }
        }
        Some(masses)
    }

    /// Item 14: three cards.
    fn inertia(&mut self, k: usize) -> Option<([[f64; 3]; 3], Span)> {
        let what = format!("item 14, inertia of body {k}");
        let rows = [
            self.cards.reals(&what, 3)?,
            self.cards.reals(&what, 3)?,
            self.cards.reals(&what, 3)?,
        ];
        let span = rows[0].span.to(rows[2].span);
        Some((rows.map(|row| triple(&row, 0)), span))
    }

    /// The number of a body.
    fn body(&self, read: CardNumber<i64>, what: &str, count: usize) -> Option<usize> {
        let found = usize::try_from(read.value)
            .ok()
            .filter(|k| (1..=count).contains(k));
        if found.is_none() {
            let message = format!("{what} must be the number of a body");
            let help = format!("from 1 to {count}");
            self.error(
                "bad-body",
                message,
                read.span,
                &format!("this is {}", read.value),
                &help,
            );
        }
        found
    }

    /// Items 15 and 16; an invalid body number is reported and replaced by body 1.
    fn closure(&mut self, count: usize) -> Option<Loop> {
        let what = "item 15, common body and ends of the loop";
        let card = self.cards.integers(what, 3)?;
        let points = [
            self.vector("item 16, cut point in the first end body")?,
            self.vector("item 16, cut point in the second end body")?,
        ];
        let numbers: Vec<Option<usize>> = card
            .fields
            .iter()
            .map(|read| self.body(*read, what, count))
            .collect();
        if let [_, Some(first), Some(second)] = numbers[..]
            && first == second
        {
            let message = format!("{what}: both ends are body {first}");
            let help = "a loop closes between two bodies";
            self.error("bad-loop", message, card.span, "", help);
        }
        let number = |k: usize| numbers.get(k).copied().flatten().unwrap_or(1);
        Some(Loop {
            common: number(0),
            ends: [number(1), number(2)],
            points,
            span: card.span,
        })
    }

    /// Items 17 and 18, or 19 and 20.
    fn profiles(&mut self, item: usize, of: &str, count: usize) -> Option<Vec<SismulProfile>> {
        let what = format!("item {item}, the number of profiles of {of}");
        let most = i64::try_from(3 * count).unwrap_or(i64::MAX);
        let number = self.count(&what, 0, most)?;
        let mut profiles: Vec<SismulProfile> = Vec::new();
        for p in 1..=number {
            let what = format!("item {}, profile {p} of {of}", item + 1);
            let points = self.count(&format!("{what}: the number of points"), 1, 99_999)?;
            let place = self
                .cards
                .integers(&format!("{what}: body and component"), 2)?;
            let first = self.cards.reals(
                &format!("{what}: time, acceleration, velocity, position"),
                4,
            )?;
            let [time, acceleration, velocity] = triple(&first, 0);
            let position = first.fields.get(3).map_or(0.0, |field| field.value);
            let mut list = vec![[time, acceleration]];
            for _ in 1..points {
                let card = self
                    .cards
                    .reals(&format!("{what}: time, acceleration"), 2)?;
                let [time, acceleration, _] = triple(&card, 0);
                if list.last().is_some_and(|last| time <= last[0]) {
                    let message = format!("{what}: the times must increase");
                    self.error(
                        "bad-profile",
                        message,
                        card.span,
                        "not after the one before",
                        "sort the points by time",
                    );
                }
                list.push([time, acceleration]);
            }
            let [body, component] = place.fields[..] else {
                continue;
            };
            let found = self.body(body, &format!("{what}: body"), count);
            let axis = usize::try_from(component.value)
                .ok()
                .filter(|c| (1..=3).contains(c));
            if axis.is_none() {
                let message = format!("{what}: the component must be 1, 2 or 3");
                let label = format!("this is {}", component.value);
                self.error(
                    "bad-profile",
                    message,
                    component.span,
                    &label,
                    "the body comes first, then the component",
                );
            }
            let (Some(body), Some(axis)) = (found, axis) else {
                continue;
            };
            if let Some(other) = profiles
                .iter()
                .find(|p| (p.body, p.component) == (body, axis - 1))
            {
                let message = format!("{what} is the second of component {axis} of body {body}");
                self.diagnostics.push(
                    Diagnostic::error("bad-profile", message)
                        .at(place.span, "the second")
                        .also(other.span, "the first")
                        .help("keep one of the two"),
                );
                continue;
            }
            profiles.push(SismulProfile {
                body,
                component: axis - 1,
                points: list,
                velocity,
                position,
                span: place.span,
            });
        }
        Some(profiles)
    }

    /// Item 21.
    fn flags(&mut self, k: usize) -> Option<([bool; 6], Span)> {
        let what = format!("item 21, flags of joint {k}");
        let card = self.cards.integers(&what, 6)?;
        let help = "six flags, rotations about x, y, z then translations: 0 free, 1 locked or prescribed; \
                    the number of the joint, which the manual puts first, is not on the cards";
        let mut locked = [true; 6];
        for (flag, read) in locked.iter_mut().zip(&card.fields) {
            if !(0..=1).contains(&read.value) {
                let message = format!("{what} must be 0 or 1");
                self.error(
                    "bad-code",
                    message,
                    read.span,
                    &format!("this is {}", read.value),
                    help,
                );
            }
            *flag = read.value != 0;
        }
        if let Some(span) = self.cards.extra_integer(6) {
            let message = format!("{what}: there is a seventh number");
            let warning = Diagnostic::warning("seventh-flag", message);
            self.diagnostics
                .push(warning.at(span, "not read").help(help));
        }
        Some((locked, card.span))
    }

    /// Item 22: three cards, the first with the number of the body.
    fn initial(&mut self, k: usize) -> Option<(Card<f64>, Card<f64>)> {
        let what = format!("item 22, starting values of body {k}");
        let number = self.cards.integer(&what)?;
        if i64::try_from(k) != Ok(number.value) {
            let message = format!("{what}: the card must have the number of the body, {k}");
            let help = "if this card is right, a card above is missing or superfluous";
            self.error(
                "bad-body",
                message,
                number.span,
                &format!("this is {}", number.value),
                help,
            );
            return None;
        }
        let xi = self
            .cards
            .reals(&format!("{what}: translations and their rates"), 6)?;
        let angles = self
            .cards
            .reals(&format!("{what}: angles and their rates"), 6)?;
        Some((xi, angles))
    }

    fn check_times(&self, deck: &Deck, times: Span, print: Span) {
        if deck.end <= deck.start {
            let message = "item 23: the end must come after the start".to_owned();
            self.error(
                "bad-times",
                message,
                times,
                "",
                "first time, last time, first step, tolerance",
            );
        }
        if deck.step <= 0.0 || !deck.step.is_finite() {
            let message = "item 23: the first step must not be zero".to_owned();
            self.error(
                "bad-times",
                message,
                times,
                "",
                "a step in seconds, or -m for 2 to the power -m",
            );
        }
        if deck.tolerance <= 0.0 {
            let message = "item 23: the tolerance must be greater than zero".to_owned();
            self.error(
                "bad-times",
                message,
                times,
                "",
                "0.00001 is a common choice",
            );
        }
        if (deck.end - deck.start) / deck.print > MOST_PRINTS {
            let message = format!("item 24: there would be more than {MOST_PRINTS} prints");
            self.error(
                "bad-times",
                message,
                print,
                "",
                "make the print interval longer",
            );
        }
        if deck.print <= 0.0 {
            let message = "item 24: the print interval must be greater than zero".to_owned();
            self.error(
                "bad-times",
                message,
                print,
                "",
                "0.01 prints a hundred times per second",
            );
        }
    }
}
