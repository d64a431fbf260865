//! The printed output of SISMUL: the echo of the model and the blocks A to M with their Portuguese headings, so that existing readers of its output can be
//! used.

use std::fmt::Write;

use biela_core::analysis::Study;
use biela_core::math::Vec3;
use biela_core::model::{DriverElement, DriverTarget, Model, Motion, Space};
use biela_core::system::Instant;

use super::{JointRelativeMotion, SismulTree, Unknown};

/// The range of the printed angles α and γ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Angles {
    /// From −180° to 180°.
    #[default]
    Signed,
    /// From −90° to 270°, as in SISMUL.
    Sismul,
}

impl Angles {
    fn degrees(self, radians: f64) -> f64 {
        let degrees = radians.to_degrees();
        match self {
            Angles::Sismul if degrees < -90.0 => degrees + 360.0,
            _ => degrees,
        }
    }
}

/// Prints instants of a run.
#[derive(Clone, Debug)]
pub struct SismulListing {
    tree: SismulTree,
    angles: Angles,
    title: String,
}

const AXES: [&str; 3] = ["X", "Y", "Z"];

impl SismulListing {
    /// Creates a page for a model with a tree structure.
    pub fn new(model: &Model, tree: SismulTree, angles: Angles) -> Self {
        SismulListing {
            tree,
            angles,
            title: model.name.to_uppercase(),
        }
    }

    /// The output of SISMUL before the first time: the model, its known and unknown components, and the initial state.
    pub fn echo(&self, instant: &Instant<'_>, study: &Study) -> String {
        let context = instant.context();
        let model = context.model;
        let mut out = String::new();
        self.masses(&mut out, model);
        self.profiles(&mut out, model);
        let unknown: Vec<Unknown> = (0..model.bodies.len())
            .map(|b| self.tree.unknown(&context, b))
            .collect();
        lists(&mut out, &unknown);
        let all = self.all(instant);
        for (heading, [first, second], kind) in [
            (
                "VARIAVEIS DE TRANSLACAO",
                ["DAS ", "DAS DERIVADAS DAS "],
                InitialBlock::Xi,
            ),
            (
                "ANGULOS DE ORIENTACAO DEXTRAIS",
                ["DOS ", "DAS DERIVADAS DOS "],
                InitialBlock::Angles,
            ),
        ] {
            for (k, which) in [first, second].into_iter().enumerate() {
                let _ = writeln!(out, "\nVALORES INICIAIS {which}{heading}");
                vectors(&mut out, &all, |r| match kind {
                    InitialBlock::Xi => r.xi[k],
                    InitialBlock::Angles => self.shown(r.angles[k], k),
                });
            }
        }
        let _ = writeln!(out, "\nVALORES INICIAIS DOS PARAMETROS DE EULER");
        columns(&mut out, &all, |r| r.parameters[0].to_vec());
        let _ = writeln!(
            out,
            "\nVALORES INICIAIS DOS COMPONENTES DAS VELOCIDADES ANGULARES RELATIVAS"
        );
        vectors(&mut out, &all, |r| r.omega[0]);
        let _ = writeln!(out, "\nVALOR INICIAL DO TEMPO = {:.5}", context.time());
        let _ = writeln!(
            out,
            "VALOR FINAL DO TEMPO = {:.5}",
            context.time() + study.duration
        );
        for (words, name) in [
            ("INCREMENTO INICIAL DE INTEGRACAO", "first_step"),
            ("INCREMENTO DE INTEGRACAO", "step"),
            ("ERRO MAXIMO", "tolerance"),
        ] {
            if study.integrator.arguments.get(name).is_some() {
                let _ = writeln!(
                    out,
                    "{words} = {:E}",
                    study.integrator.arguments.number(name)
                );
            }
        }
        let _ = writeln!(out, "IMPRESSAO A CADA {:.5} SEGUNDOS", study.output_step);
        out
    }

    fn masses(&self, out: &mut String, model: &Model) {
        let _ = writeln!(
            out,
            "S I S M U L : ANALISE DINAMICA DE SISTEMAS MULTICORPOS"
        );
        let _ = writeln!(out, "{}\n", self.title);
        let g = model.gravity;
        for axis in 0..3 {
            if g[axis] != 0.0 && g.norm() == g[axis].abs() {
                // the code denotes the upward vertical
                let sign = if g[axis] > 0.0 { "-" } else { "" };
                let _ = writeln!(out, "O EIXO {sign}{} E O EIXO VERTICAL", AXES[axis]);
            }
        }
        if model.space == Space::Planar {
            let _ = writeln!(out, "O MOVIMENTO FOI INDICADO COMO SENDO BIDIMENSIONAL");
        }
        let closures = self.tree.closures(model);
        if !closures.is_empty() {
            let _ = writeln!(
                out,
                "A ANALISE APRESENTA {} LACO(S) FECHADO(S)",
                closures.len()
            );
        }
        let _ = writeln!(
            out,
            "O NUMERO DE CORPOS DESSA ANALISE E {}",
            model.bodies.len()
        );
        let _ = writeln!(out, "A ACELERACAO DA GRAVIDADE E {}", real(g.norm()));

        let _ = writeln!(
            out,
            "\nCORPO  {:<24} {:>12} {:>9} {:>6}",
            "IDENTIFICACAO", "MASSA", "INFERIOR", "FINAL"
        );
        let (lower, ends) = (self.tree.lower(), self.tree.branch_ends());
        for (b, body) in model.bodies.iter().enumerate() {
            let _ = writeln!(
                out,
                "{:5}  {:<24} {} {:9} {:6}",
                b + 1,
                body.name,
                real(body.mass.mass),
                lower[b],
                ends[b]
            );
        }
        let _ = writeln!(
            out,
            "\nJUNTA  {:<24} {:<38} VETOR Q, FIXO NO CORPO INFERIOR",
            "IDENTIFICACAO", "VETOR R, FIXO NO CORPO"
        );
        for (b, link) in self.tree.links().iter().enumerate() {
            let element = &model.joints[link.joint.0];
            let (on_lower, on_body) = if link.flipped {
                (element.second.1, element.first.1)
            } else {
                (element.first.1, element.second.1)
            };
            // from O, the joint's frame on the body, and from the origin of the lower body's frame
            let r = model.bodies[b].mass.center - on_body.p;
            let _ = writeln!(
                out,
                "{:5}  {:<24} {} {}",
                b + 1,
                element.name,
                reals(r.as_slice()),
                reals(on_lower.p.as_slice())
            );
        }
        let total: f64 = model.bodies.iter().map(|body| body.mass.mass).sum();
        let _ = writeln!(
            out,
            "\nMASSA TOTAL {}   PESO TOTAL {}",
            real(total),
            real(total * g.norm())
        );
        let _ = writeln!(out, "\nMATRIZES DE INERCIA");
        for (b, body) in model.bodies.iter().enumerate() {
            let _ = writeln!(out, "I({})", b + 1);
            for i in 0..3 {
                // in the plane only the moment about z is meaningful
                let counts = |j: usize| model.space == Space::Spatial || (i, j) == (2, 2);
                let entry = |j: usize| {
                    if counts(j) {
                        body.mass.inertia[(i, j)]
                    } else {
                        0.0
                    }
                };
                let row: Vec<f64> = (0..3).map(entry).collect();
                let _ = writeln!(out, "{}", reals(&row));
            }
        }
        for closure in closures {
            let (a, b) = (
                model.body_name(closure.first.0),
                model.body_name(closure.second.0),
            );
            let _ = writeln!(
                out,
                "\nA JUNTA {} FECHA UM LACO ENTRE OS CORPOS {a} E {b}",
                closure.name
            );
            let _ = writeln!(
                out,
                "{}\n{}",
                reals(closure.first.1.p.as_slice()),
                reals(closure.second.1.p.as_slice())
            );
        }
    }

    fn profiles(&self, out: &mut String, model: &Model) {
        for (b, link) in self.tree.links().iter().enumerate() {
            for driver in &model.drivers {
                if let DriverTarget::Joint(joint, k) = driver.target
                    && joint == link.joint
                {
                    let coordinate = model.joints[joint.0].joint.coordinates(model.space)[k];
                    let _ = writeln!(
                        out,
                        "\nUM PERFIL DE ACELERACAO E DADO PARA A VARIAVEL {} DO CORPO {}",
                        coordinate.name,
                        b + 1
                    );
                    profile(out, driver, coordinate.angular);
                }
            }
        }
    }

    /// The blocks A to M at an output time, after `steps` steps, the first of size `first_step`.
    pub fn print(&self, instant: &Instant<'_>, steps: u64, first_step: f64) -> String {
        // number of halvings of the first step, negative for doublings
        let division = if steps == 0 {
            0.0
        } else {
            (first_step / instant.step).log2().round() + 0.0
        };
        let mut out = String::new();
        let _ = writeln!(
            out,
            "\n{}\nTEMPO = {:.4} SEGUNDOS   INTERVALO DE DIVISAO = {division}   STEP COUNT = {steps}",
            self.title,
            instant.context().time()
        );
        let all = self.all(instant);
        let xi = [
            "A. VALORES DAS VARIAVEIS DE TRANSLACAO",
            "B. VALORES DAS DERIVADAS DAS VARIAVEIS DE TRANSLACAO",
            "C. VALORES DA SEGUNDA DERIVADA DAS VARIAVEIS DE TRANSLACAO",
        ];
        for (k, heading) in xi.into_iter().enumerate() {
            block(&mut out, heading, &all, |r| r.xi[k]);
        }
        let angles = [
            "D. VALORES DOS ANGULOS DE ORIENTACAO DEXTRAIS EM GRAUS",
            "E. VALORES DAS DERIVADAS DOS ANGULOS DE ORIENTACAO EM GRAUS/SEGUNDO",
        ];
        for (k, heading) in angles.into_iter().enumerate() {
            block(&mut out, heading, &all, |r| self.shown(r.angles[k], k));
        }
        let parameters = [
            "F. VALORES DOS PARAMETROS DE ORIENTACAO DE EULER",
            "G. VALORES DAS DERIVADAS DOS PARAMETROS DE EULER",
        ];
        for (k, heading) in parameters.into_iter().enumerate() {
            let _ = writeln!(out, "\n{heading}");
            columns(&mut out, &all, |r| r.parameters[k].to_vec());
        }
        let omega = [
            "H. COMPONENTES DAS VELOCIDADES ANGULARES RELATIVAS EM RAD/SEG (EM RELACAO AO CORPO INFERIOR)",
            "I. COMPONENTES DA ACELERACAO ANGULAR RELATIVA EM RAD/SEG/SEG (EM RELACAO AO CORPO INFERIOR)",
        ];
        for (k, heading) in omega.into_iter().enumerate() {
            block(&mut out, heading, &all, |r| r.omega[k]);
        }
        let loads = [
            "J. MOMENTOS NAS JUNTAS ENTRE CORPOS ADJACENTES (COMPONENTES EM RELACAO AO CORPO INFERIOR)",
            "K. FORCAS NAS JUNTAS ENTRE CORPOS ADJACENTES (COMPONENTES EM RELACAO AO CORPO INFERIOR)",
        ];
        for (k, heading) in loads.into_iter().enumerate() {
            block(&mut out, heading, &all, |r| r.load[k]);
        }
        let places = [
            "L. COORDENADAS DOS VETORES DE POSICAO DA JUNTA -- REFERENCIAL INERCIAL",
            "M. COORDENADAS DOS VETORES DE POSICAO DO CENTRO DE MASSA -- REFERENCIAL INERCIAL",
        ];
        for (k, heading) in places.into_iter().enumerate() {
            block(&mut out, heading, &all, |r| r.places[k]);
        }
        out
    }

    fn all(&self, instant: &Instant<'_>) -> Vec<JointRelativeMotion> {
        (0..self.tree.links().len())
            .map(|b| self.tree.relative(instant, b))
            .collect()
    }

    /// Angles (0) in the chosen range, or their derivatives (1), in degrees.
    fn shown(&self, radians: Vec3<f64>, derivative: usize) -> Vec3<f64> {
        radians.map(|x| {
            if derivative == 0 {
                self.angles.degrees(x)
            } else {
                x.to_degrees()
            }
        })
    }
}

fn block(
    out: &mut String,
    heading: &str,
    all: &[JointRelativeMotion],
    of: impl Fn(&JointRelativeMotion) -> Vec3<f64>,
) {
    let _ = writeln!(out, "\n{heading}");
    vectors(out, all, of);
}

fn vectors(
    out: &mut String,
    all: &[JointRelativeMotion],
    of: impl Fn(&JointRelativeMotion) -> Vec3<f64>,
) {
    columns(out, all, |relative| of(relative).as_slice().to_vec());
}

/// Prints bodies in two columns, the second half beside the first.
fn columns(
    out: &mut String,
    all: &[JointRelativeMotion],
    of: impl Fn(&JointRelativeMotion) -> Vec<f64>,
) {
    let rows = all.len().div_ceil(2);
    let cell = |b: usize| {
        let values: String = of(&all[b]).iter().map(|x| fixed(*x)).collect();
        format!("CORPO {:3}):{values}", b + 1)
    };
    for b in 0..rows {
        let right = if b + rows < all.len() {
            format!("   {}", cell(b + rows))
        } else {
            String::new()
        };
        let _ = writeln!(out, "{}{right}", cell(b));
    }
}

#[derive(Clone, Copy)]
enum InitialBlock {
    Xi,
    Angles,
}

fn profile(out: &mut String, driver: &DriverElement, angular: bool) {
    let Motion::Profile(profile) = &driver.motion else {
        let _ = writeln!(out, "(UMA FUNCAO DO TEMPO)");
        return;
    };
    let _ = writeln!(
        out,
        "{:>12} {:>12} {:>12} {:>12} {:>12}",
        "TEMPO(SEG)", "INCLINACAO", "ACELERACAO", "VELOCIDADE", "POSICAO"
    );
    let unit = |x: f64| if angular { x.to_degrees() } else { x };
    let times = profile.times();
    for (k, &time) in times.iter().enumerate() {
        let at = profile.at(time);
        let slope = times.get(k + 1).map_or(0.0, |next| {
            (profile.at(*next).curvature - at.curvature) / (next - time)
        });
        let values = [
            time,
            unit(slope),
            unit(at.curvature),
            unit(at.rate),
            unit(at.value),
        ];
        let _ = writeln!(out, "{}", reals(&values));
    }
}

/// Lists known and unknown components by body, and by their numbers in the flat list.
fn lists(out: &mut String, unknown: &[Unknown]) {
    let count = unknown.len();
    let angular = |known: bool| select(unknown, |u| (0..3).filter(|&c| u[c] != known).collect());
    let linear = |known: bool| select(unknown, |u| (0..3).filter(|&c| u[3 + c] != known).collect());
    let euler = |known: bool| {
        select(unknown, |u| {
            let turning: Vec<usize> = (0..3).filter(|&c| u[c]).collect();
            let free = match turning[..] {
                [] => Vec::new(),
                [c] => vec![c, 3],
                _ => vec![0, 1, 2, 3],
            };
            (0..4).filter(|c| free.contains(c) != known).collect()
        })
    };
    let groups = [
        (
            "DA VELOCIDADE ANGULAR",
            [angular(false), angular(true)],
            3,
            0,
        ),
        ("DE TRANSLACAO", [linear(false), linear(true)], 3, 3 * count),
        ("DOS PARAMETROS DE EULER", [euler(false), euler(true)], 4, 0),
    ];
    for (heading, sets, each, from) in &groups {
        for (word, set) in ["DESCONHECIDOS", "CONHECIDOS"].iter().zip(sets) {
            let _ = writeln!(out, "\nCOMPONENTES {word} {heading}: {}", set.len());
            let pairs: Vec<String> = set
                .iter()
                .map(|(b, c)| format!("{}-{}", b + 1, c + 1))
                .collect();
            let flat: Vec<String> = set
                .iter()
                .map(|(b, c)| (from + each * b + c + 1).to_string())
                .collect();
            if !set.is_empty() {
                let _ = writeln!(out, "CORPO-COMPONENTE: {}", pairs.join(" "));
                let _ = writeln!(out, "NUMEROS: {}", flat.join(" "));
            }
        }
    }
}

fn select(unknown: &[Unknown], of: impl Fn(&Unknown) -> Vec<usize>) -> Vec<(usize, usize)> {
    let bodies = unknown.iter().enumerate();
    bodies
        .flat_map(|(b, u)| of(u).into_iter().map(move |c| (b, c)))
        .collect()
}

/// Formats a number with five decimals, without negative zero.
fn fixed(x: f64) -> String {
    let x = if x.abs() < 5e-6 { 0.0 } else { x };
    format!("{x:13.5}")
}

/// Formats a number with five digits, with an exponent if fixed notation would lose them.
fn real(x: f64) -> String {
    let size = x.abs();
    if size == 0.0 || (0.1..1e5).contains(&size) {
        format!("{:12.5}", x + 0.0)
    } else {
        format!("{x:12.5E}")
    }
}

fn reals(values: &[f64]) -> String {
    let texts: Vec<String> = values.iter().map(|x| real(*x)).collect();
    texts.join(" ")
}
