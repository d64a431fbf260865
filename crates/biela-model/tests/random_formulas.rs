//! Random formulas, printed with as few brackets as the grammar allows, against a plain evaluation of their tree.

use biela_core::math::Jet;
use biela_model::expr::{Binding, compile, parse};
use proptest::prelude::*;

#[derive(Clone, Debug)]
enum Tree {
    Number(u8),
    Time,
    /// An input.
    X,
    Negative(Box<Tree>),
    Not(Box<Tree>),
    Call(&'static str, Box<Tree>),
    Join(&'static str, Box<Tree>, Box<Tree>),
    Choice(Box<Tree>, Box<Tree>, Box<Tree>),
}

/// Binding powers as the reference manual states them, loose to tight.
fn tightness(tree: &Tree) -> u8 {
    match tree {
        Tree::Choice(..) => 1,
        Tree::Join("or", ..) => 2,
        Tree::Join("and", ..) => 3,
        Tree::Not(_) => 4,
        Tree::Join("<" | ">=" | "==", ..) => 5,
        Tree::Join("+" | "-", ..) => 6,
        Tree::Join("*" | "/" | "%", ..) => 7,
        Tree::Negative(_) => 8,
        Tree::Join(..) => 9,
        _ => 10,
    }
}

fn print(tree: &Tree) -> String {
    let inside = |child: &Tree, least: u8| {
        if tightness(child) >= least {
            print(child)
        } else {
            format!("({})", print(child))
        }
    };
    let own = tightness(tree);
    match tree {
        Tree::Number(n) => n.to_string(),
        Tree::Time => "t".to_owned(),
        Tree::X => "x".to_owned(),
        Tree::Negative(a) => format!("-{}", inside(a, own)),
        Tree::Not(a) => format!("not {}", inside(a, own)),
        Tree::Call(name, a) => format!("{name}({})", print(a)),
        // Groups to the right: the left side needs brackets, a sign on the right does not.
        Tree::Join("^", a, b) => format!("{}^{}", inside(a, own + 1), inside(b, own - 1)),
        // Comparisons do not group at all.
        Tree::Join(sign @ ("<" | ">=" | "=="), a, b) => {
            format!("{} {sign} {}", inside(a, own + 1), inside(b, own + 1))
        }
        Tree::Join(sign, a, b) => format!("{} {sign} {}", inside(a, own), inside(b, own + 1)),
        Tree::Choice(c, a, b) => {
            format!("{} ? {} : {}", inside(c, own + 1), print(a), inside(b, own))
        }
    }
}

fn evaluate(tree: &Tree, t: f64, x: f64) -> f64 {
    let of = |tree: &Tree| evaluate(tree, t, x);
    let truth = |condition: bool| f64::from(u8::from(condition));
    match tree {
        Tree::Number(n) => f64::from(*n),
        Tree::Time => t,
        Tree::X => x,
        Tree::Negative(a) => -of(a),
        Tree::Not(a) => truth(of(a) == 0.0),
        Tree::Call("sin", a) => of(a).sin(),
        Tree::Call("abs", a) => of(a).abs(),
        Tree::Call(_, a) => of(a).floor(),
        Tree::Join(sign, a, b) => {
            let fixed = is_fixed(b);
            let (a, b) = (of(a), of(b));
            match *sign {
                "+" => a + b,
                "-" => a - b,
                "*" => a * b,
                "/" => a / b,
                "%" => {
                    let remainder = a % b;
                    let across = remainder < 0.0 && b > 0.0 || remainder > 0.0 && b < 0.0;
                    if across { remainder + b } else { remainder }
                }
                // A fixed whole exponent means repeated products.
                "^" if fixed && b.fract() == 0.0 && b.abs() <= 1024.0 => a.powi(b as i32),
                "^" => a.powf(b),
                "<" => truth(a < b),
                ">=" => truth(a >= b),
                "==" => truth(a == b),
                "and" => truth(a != 0.0 && b != 0.0),
                _ => truth(a != 0.0 || b != 0.0),
            }
        }
        Tree::Choice(c, a, b) => of(if of(c) == 0.0 { b } else { a }),
    }
}

fn trees() -> impl Strategy<Value = Tree> {
    let leaf = prop_oneof![
        (0..9_u8).prop_map(Tree::Number),
        Just(Tree::Time),
        Just(Tree::X)
    ];
    leaf.prop_recursive(7, 100, 3, |inner| {
        let signs = vec!["+", "-", "*", "/", "%", "^", "<", ">=", "==", "and", "or"];
        let boxed = inner.clone().prop_map(Box::new);
        prop_oneof![
            1 => boxed.clone().prop_map(Tree::Negative),
            1 => boxed.clone().prop_map(Tree::Not),
            1 => (
                prop::sample::select(vec!["sin", "abs", "floor"]),
                boxed.clone()
            )
                .prop_map(|(name, a)| Tree::Call(name, a)),
            8 => (prop::sample::select(signs), boxed.clone(), boxed.clone())
                .prop_map(|(sign, a, b)| Tree::Join(sign, a, b)),
            1 => (boxed.clone(), boxed.clone(), boxed).prop_map(|(c, a, b)| Tree::Choice(c, a, b)),
        ]
    })
}

/// Whether the value depends neither on time nor on the input.
fn is_fixed(tree: &Tree) -> bool {
    match tree {
        Tree::Number(_) => true,
        Tree::Time | Tree::X => false,
        Tree::Negative(a) | Tree::Not(a) | Tree::Call(_, a) => is_fixed(a),
        Tree::Join(_, a, b) => is_fixed(a) && is_fixed(b),
        Tree::Choice(c, a, b) => {
            is_fixed(c) && is_fixed(if evaluate(c, 0.0, 0.0) == 0.0 { b } else { a })
        }
    }
}

fn same(a: f64, b: f64) -> bool {
    a == b || (a.is_nan() && b.is_nan())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn a_printed_formula_parses_to_the_same_tree(tree in trees(), t in -3.0..3.0_f64, x in -3.0..3.0_f64) {
        let text = print(&tree);
        let ast = parse(&text).map_err(|error| TestCaseError::fail(format!("{text}: {error:?}")))?;
        let mut resolve = |_: &str| Some(Binding::Input { slot: 0, dimension: None });
        let program = compile(&ast, &mut resolve, &Vec::new)
            .map_err(|errors| TestCaseError::fail(format!("{text}: {errors:?}")))?;
        let expected = evaluate(&tree, t, x);
        let found = program.eval(t, &[x]);
        prop_assert!(same(found, expected), "{} gave {} for {}", text, found, expected);
        let jet = program.eval(Jet::time(t), &[Jet::new(x, 0.0, 0.0)]).value;
        prop_assert!(same(jet, expected), "{} gave {} for {} as a jet", text, jet, expected);
    }
}
