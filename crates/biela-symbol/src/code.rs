//! Code generation from formulas: Rust, C and Python, with common subexpressions computed once.
//!
//! ```
//! use biela_core::math::Real;
//! use biela_symbol::code::{Array, Language, Module, RoutineOutput, Routine};
//! use biela_symbol::{VariableKind, Symbol};
//!
//! let q = Symbol::variable("q", VariableKind::Coordinate, 0.4);
//! let m = Symbol::variable("m", VariableKind::Parameter, 2.0);
//! let module = Module {
//!     title: "An example".to_owned(),
//!     parameters: vec![(m, 2.0)],
//!     routines: vec![Routine {
//!         name: "weight".to_owned(),
//!         about: "Moment of the weight.".to_owned(),
//!         inputs: vec![Array { name: "q".to_owned(), symbols: vec![q] }],
//!         output: RoutineOutput { columns: None, symbols: vec![m * q.cos()] },
//!     }],
//! };
//! let text = module.write(Language::Python);
//! assert!(text.contains("return [p.m*math.cos(q[0])]"));
//! ```

use std::fmt::Write as _;

use crate::arena::{Function, Function2, Node, QuickMap, Symbol, below};
use crate::number::Number;
use crate::print::{Notation, Printer};

/// A programming language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// Rust: a module without dependencies.
    Rust,
    /// C99.
    C,
    /// Python 3, standard library only.
    Python,
}

impl Language {
    fn style(self) -> Notation {
        match self {
            Language::Rust => Notation::Rust,
            Language::C => Notation::C,
            Language::Python => Notation::Python,
        }
    }

    fn comment(self) -> &'static str {
        match self {
            Language::Rust | Language::C => "//",
            Language::Python => "#",
        }
    }
}

/// An argument that is a list of variables.
#[derive(Clone, Debug)]
pub struct Array {
    /// Its name.
    pub name: String,
    /// The variables, in order.
    pub symbols: Vec<Symbol>,
}

/// The result of a routine: a vector, or a matrix in row-major order.
#[derive(Clone, Debug)]
pub struct RoutineOutput {
    /// Columns of a matrix; `None` for a vector.
    pub columns: Option<usize>,
    /// The entries.
    pub symbols: Vec<Symbol>,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Routine {
    /// Its name.
    pub name: String,
    /// A description in one line.
    pub about: String,
    /// Its arguments in addition to the parameters.
    pub inputs: Vec<Array>,
    /// Its result.
    pub output: RoutineOutput,
}

/// Functions with common parameters.
#[derive(Clone, Debug)]
pub struct Module {
    /// Its description; may have several lines.
    pub title: String,
    /// Parameters and their values.
    pub parameters: Vec<(Symbol, f64)>,
    /// The functions.
    pub routines: Vec<Routine>,
}

/// An identifier that is valid in every language: letters, digits and `_`.
pub fn identifier(name: &str) -> String {
    let mut text: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();
    let digit = text.chars().next().is_none_or(|c| c.is_ascii_digit());
    let keyword = KEYWORDS.contains(&text.as_str());
    if digit || keyword {
        text.push('_');
    }
    if digit {
        text.insert(0, 'p');
    }
    text
}

/// Reserved words of the languages that could be names of parameters.
const KEYWORDS: &[&str] = &[
    "Self", "False", "None", "True", "abstract", "and", "as", "assert", "async", "auto", "await",
    "become", "box", "break", "case", "char", "class", "const", "continue", "crate", "def",
    "default", "del", "do", "double", "dyn", "elif", "else", "enum", "except", "extern", "false",
    "final", "finally", "float", "fn", "for", "from", "gen", "global", "goto", "if", "impl",
    "import", "in", "inline", "int", "is", "lambda", "let", "long", "loop", "macro", "match",
    "mod", "move", "mut", "nonlocal", "not", "or", "override", "pass", "priv", "pub", "raise",
    "ref", "register", "restrict", "return", "self", "short", "signed", "sizeof", "static",
    "struct", "super", "switch", "trait", "true", "try", "type", "typedef", "typeof", "union",
    "unsafe", "unsized", "unsigned", "use", "virtual", "void", "volatile", "where", "while",
    "with", "yield",
];

/// A line of text as a comment may hold it in every language: characters that could end the comment, or go on with it in the next line, become escapes.
pub fn in_comment(line: &str) -> String {
    let mut safe: String = line
        .chars()
        .flat_map(|c| {
            let ends = c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
            let escape = ends.then(|| c.escape_default());
            let plain = (!ends).then_some(c);
            escape.into_iter().flatten().chain(plain)
        })
        .collect();
    // a backslash at the end of a line of C continues the comment, and so does its trigraph
    if safe.ends_with('\\') || safe.ends_with("??/") {
        safe.push('.');
    }
    safe
}

impl Module {
    /// Generates the code of the module.
    pub fn write(&self, language: Language) -> String {
        let mut out = String::new();
        for line in self.title.lines() {
            let _ = writeln!(out, "{} {}", language.comment(), in_comment(line));
        }
        out.push('\n');
        let names = self.parameter_names();
        self.head(language, &names, &mut out);
        let all: Vec<Symbol> = self
            .routines
            .iter()
            .flat_map(|routine| routine.output.symbols.iter().copied())
            .collect();
        helpers(language, &all, &mut out);
        for routine in &self.routines {
            self.routine(routine, language, &names, &mut out);
        }
        out
    }

    /// Unique names of the parameters.
    fn parameter_names(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for (symbol, _) in &self.parameters {
            let mut name = identifier(&symbol.to_string());
            while names.contains(&name) {
                name.push('_');
            }
            names.push(name);
        }
        names
    }

    fn head(&self, language: Language, names: &[String], out: &mut String) {
        let values = || {
            names
                .iter()
                .zip(self.parameters.iter().map(|(_, value)| value))
        };
        match language {
            Language::Rust => {
                out.push_str("#![allow(clippy::all, clippy::pedantic, non_snake_case, unused_variables)]\n\n");
                out.push_str("/// Parameters of the model.\n#[derive(Clone, Debug)]\npub struct Parameters {\n");
                for name in names {
                    let _ = writeln!(out, "    pub {name}: f64,");
                }
                out.push_str("}\n\nimpl Default for Parameters {\n    fn default() -> Self {\n        Parameters {\n");
                for (name, value) in values() {
                    let _ = writeln!(out, "            {name}: {value:?},");
                }
                out.push_str("        }\n    }\n}\n");
            }
            Language::C => {
                out.push_str(
                    "#include <math.h>\n\n/* Parameters of the model. */\ntypedef struct {\n",
                );
                for name in names {
                    let _ = writeln!(out, "    double {name};");
                }
                if names.is_empty() {
                    out.push_str("    char none;\n");
                }
                out.push_str("} parameters;\n\nstatic const parameters default_parameters = {\n");
                for (name, value) in values() {
                    let _ = writeln!(out, "    .{name} = {value:?},");
                }
                if names.is_empty() {
                    out.push_str("    .none = 0,\n");
                }
                out.push_str("};\n");
            }
            Language::Python => {
                out.push_str("import math\n\n\nclass Parameters:\n    \"\"\"Parameters of the model.\"\"\"\n\n    def __init__(self):\n");
                for (name, value) in values() {
                    let _ = writeln!(out, "        self.{name} = {value:?}");
                }
                if names.is_empty() {
                    out.push_str("        pass\n");
                }
            }
        }
    }

    fn routine(&self, routine: &Routine, language: Language, names: &[String], out: &mut String) {
        let mut known: QuickMap<Symbol, String> = QuickMap::default();
        let access = if language == Language::C { "->" } else { "." };
        for ((symbol, _), name) in self.parameters.iter().zip(names) {
            let _ = known.insert(*symbol, format!("p{access}{name}"));
        }
        for array in &routine.inputs {
            for (at, symbol) in array.symbols.iter().enumerate() {
                let _ = known.insert(*symbol, format!("{}[{at}]", array.name));
            }
        }
        let (open, end) = signature(routine, language);
        out.push_str(&open);
        let symbols = &routine.output.symbols;
        let tab = "    ";
        for (count, shared) in shared(symbols).into_iter().enumerate() {
            let name = format!("t{count}");
            let text = {
                let names = |symbol: Symbol| known.get(&symbol).cloned();
                Printer::new(language.style(), &names).definition(shared)
            };
            let _ = match language {
                Language::Rust => writeln!(out, "{tab}let {name} = {text};"),
                Language::C => writeln!(out, "{tab}const double {name} = {text};"),
                Language::Python => writeln!(out, "{tab}{name} = {text}"),
            };
            let _ = known.insert(shared, name);
        }
        let names = |symbol: Symbol| known.get(&symbol).cloned();
        let printer = Printer::new(language.style(), &names);
        let entries: Vec<String> = symbols.iter().map(|s| printer.print(*s)).collect();
        let columns = routine.output.columns;
        match language {
            Language::C => {
                for (at, entry) in entries.iter().enumerate() {
                    let place = match columns {
                        Some(n) if n > 0 => format!("[{}][{}]", at / n, at % n),
                        _ => format!("[{at}]"),
                    };
                    let _ = writeln!(out, "{tab}out{place} = {entry};");
                }
            }
            Language::Rust | Language::Python => {
                let word = if language == Language::Python {
                    "return "
                } else {
                    ""
                };
                let list = match columns {
                    Some(n) if n > 0 => {
                        let rows = entries.chunks(n).map(|row| format!("[{}]", row.join(", ")));
                        let rows: Vec<String> = rows.collect();
                        format!(
                            "[\n{tab}{tab}{},\n{tab}]",
                            rows.join(&format!(",\n{tab}{tab}"))
                        )
                    }
                    _ => format!("[{}]", entries.join(", ")),
                };
                let _ = writeln!(out, "{tab}{word}{list}");
            }
        }
        out.push_str(end);
    }
}

/// The first lines of a function, and its last.
fn signature(routine: &Routine, language: Language) -> (String, &'static str) {
    let Routine {
        name,
        about,
        inputs,
        output,
    } = routine;
    let count = output.symbols.len();
    let lists = |format: &dyn Fn(&Array) -> String| inputs.iter().map(format).collect::<String>();
    match language {
        Language::Rust => {
            let inputs = lists(&|a| format!(", {}: &[f64; {}]", a.name, a.symbols.len()));
            let result = match output.columns {
                Some(n) if n > 0 => format!("[[f64; {n}]; {}]", count / n),
                _ => format!("[f64; {count}]"),
            };
            (
                format!("\n/// {about}\npub fn {name}(p: &Parameters{inputs}) -> {result} {{\n"),
                "}\n",
            )
        }
        Language::C => {
            let inputs =
                lists(&|a| format!(", const double {}[{}]", a.name, a.symbols.len().max(1)));
            let result = match output.columns {
                Some(n) if n > 0 => format!("out[{}][{n}]", count / n),
                _ => format!("out[{}]", count.max(1)),
            };
            let arguments =
                std::iter::once("p").chain(routine.inputs.iter().map(|a| a.name.as_str()));
            let mut unused = String::new();
            for argument in arguments {
                let _ = writeln!(unused, "    (void){argument};");
            }
            (
                format!(
                    "\n/* {about} */\nvoid {name}(const parameters *p{inputs}, double {result})\n{{\n{unused}"
                ),
                "}\n",
            )
        }
        Language::Python => {
            let inputs = lists(&|a| format!(", {}", a.name));
            (
                format!("\n\ndef {name}(p{inputs}):\n    \"\"\"{about}\"\"\"\n"),
                "",
            )
        }
    }
}

/// Generates functions that a language lacks, if formulas need them.
fn helpers(language: Language, roots: &[Symbol], out: &mut String) {
    let all = below(roots);
    let uses_sign = all
        .iter()
        .any(|s| matches!(*s.node(), Node::Function(Function::Sign, _)));
    let uses_modulo = all
        .iter()
        .any(|s| matches!(*s.node(), Node::Function2(Function2::Modulo, ..)));
    if uses_sign {
        out.push_str(match language {
            Language::Rust => {
                "\nfn sign(x: f64) -> f64 {\n    if x == 0.0 { 0.0 } else { x.signum() }\n}\n"
            }
            Language::C => {
                "\nstatic double sign(double x)\n{\n    return (x > 0.0) - (x < 0.0);\n}\n"
            }
            Language::Python => "\n\ndef sign(x):\n    return (x > 0) - (x < 0)\n",
        });
    }
    if uses_modulo {
        out.push_str(match language {
            Language::Rust => "\nfn modulo(x: f64, y: f64) -> f64 {\n    x - y * (x / y).floor()\n}\n",
            Language::C => "\nstatic double modulo(double x, double y)\n{\n    return x - y * floor(x / y);\n}\n",
            Language::Python => "",
        });
    }
}

/// The common subexpressions, children first.
pub fn shared(roots: &[Symbol]) -> Vec<Symbol> {
    let all = below(roots);
    let mut uses: QuickMap<Symbol, usize> = QuickMap::default();
    for root in roots {
        *uses.entry(*root).or_default() += 1;
    }
    for symbol in &all {
        symbol
            .node()
            .children(|child| *uses.entry(child).or_default() += 1);
    }
    let is_work = |symbol: &Symbol| match &*symbol.node() {
        Node::Number(_) | Node::Variable(_) => false,
        Node::Sum(terms, constant) => {
            // a change of sign is not worth a variable
            terms.len() > 1 || !constant.is_zero() || terms[0].1 != Number::MINUS_ONE
        }
        _ => true,
    };
    all.into_iter()
        .filter(|symbol| uses.get(symbol).copied().unwrap_or(0) > 1 && is_work(symbol))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_title_ends_its_comment() {
        let module = Module {
            title: "a\rimport os\u{2028}b\u{b}c\nsecond\\".to_owned(),
            parameters: Vec::new(),
            routines: Vec::new(),
        };
        let languages = [
            (Language::Rust, "//"),
            (Language::C, "//"),
            (Language::Python, "#"),
        ];
        for (language, mark) in languages {
            let text = module.write(language);
            let first = format!("{mark} a\\rimport os\\u{{2028}}b\\u{{b}}c\n{mark} second\\.\n\n");
            assert!(text.starts_with(&first), "{text}");
        }
    }
}
