//! External functions: functions that a program provides to formulas by name.

use std::sync::Arc;

use biela_core::math::Real;

use crate::units::Dimension;

/// The maximum number of arguments of an external function.
pub const MAX_ARGUMENTS: usize = 16;

/// An external function. It may be called at trial states, in any order and from any thread.
pub trait Outside: std::fmt::Debug + Send + Sync {
    /// Returns its value; NaN if it cannot be computed.
    fn value(&self, arguments: &[f64]) -> f64;

    /// Returns value, first and second derivative of a function of one argument, if it has them.
    fn derivatives(&self, _argument: f64) -> [f64; 3] {
        [f64::NAN; 3]
    }
}

/// The declaration of an external function.
#[derive(Clone, Debug)]
pub struct OutsideFunction {
    /// The number of arguments, at most [`MAX_ARGUMENTS`]; `None` for any number.
    pub arguments: Option<usize>,
    /// The dimension of its value; `None` is compatible with any.
    pub dimension: Option<Dimension>,
    /// Set if it has one argument, and continuous first and second derivatives that [`Outside::derivatives`] returns.
    pub smooth: bool,
    /// The implementation.
    pub function: Arc<dyn Outside>,
}

impl OutsideFunction {
    /// Evaluates the function for any scalar type; beyond plain numbers with its derivatives: `f(x₀) + f′ (x − x₀) + ½ f″ (x − x₀)²`.
    pub(super) fn eval<T: Real>(&self, arguments: &[T]) -> T {
        let mut numbers = [0.0; MAX_ARGUMENTS];
        let mut plain = true;
        for (number, argument) in numbers.iter_mut().zip(arguments) {
            *number = argument.number();
            plain &= *argument == T::constant(*number);
        }
        match arguments {
            _ if plain => T::constant(self.function.value(&numbers[..arguments.len()])),
            [x] if self.smooth => {
                let [value, slope, curvature] = self.function.derivatives(numbers[0]);
                let step = *x - T::constant(numbers[0]);
                let [slope, half] = [slope, curvature / 2.0].map(T::constant);
                T::constant(value) + step * (slope + half * step)
            }
            _ => T::constant(f64::NAN),
        }
    }
}

#[cfg(test)]
mod tests {
    use biela_core::math::Jet;

    use super::*;
    use crate::expr::{Binding, Continuity, Program, compile, parse};

    /// a₀ − 2 a₁ + 4 a₂ …; with one argument its cube.
    #[derive(Debug)]
    struct Weigh;

    impl Outside for Weigh {
        fn value(&self, arguments: &[f64]) -> f64 {
            match arguments {
                [x] => x.powi(3),
                many => many.iter().rev().fold(0.0, |sum, a| a - 2.0 * sum),
            }
        }

        fn derivatives(&self, x: f64) -> [f64; 3] {
            [x.powi(3), 3.0 * x * x, 6.0 * x]
        }
    }

    fn program(text: &str, arguments: Option<usize>, smooth: bool) -> Result<Program, String> {
        let function = OutsideFunction {
            arguments,
            dimension: Some(Dimension::FORCE),
            smooth,
            function: Arc::new(Weigh),
        };
        let mut resolve = |name: &str| match name {
            "f" => Some(Binding::Outside(function.clone())),
            "x" => Some(Binding::Input {
                slot: 0,
                dimension: None,
            }),
            _ => None,
        };
        let compiled = compile(&parse(text).unwrap(), &mut resolve, &Vec::new);
        compiled.map_err(|errors| errors[0].message.clone())
    }

    #[test]
    fn arguments_are_passed_in_the_order_written() {
        let value = |text: &str| program(text, None, false).unwrap().eval(2.0, &[3.0]);
        assert_eq!(value("f(1, x, t)"), 1.0 - 6.0 + 8.0);
        assert_eq!(
            value("10 - f(x, f(1, 2), 1)*2 + x"),
            10.0 - 2.0 * (3.0 + 6.0 + 4.0) + 3.0
        );
        assert_eq!(value("if(x > 2, f(), f(x))"), 0.0);
    }

    #[test]
    fn the_value_has_the_unit_declared_and_is_never_a_constant() {
        let found = program("f(1)", None, false).unwrap();
        assert_eq!(found.dimension(), Some(Dimension::FORCE));
        assert_eq!(found.constant(), None);
        assert_eq!(found.continuity(), Continuity::Jump);
        assert!(program("f(x)", Some(1), true).unwrap().is_smooth());
    }

    #[test]
    fn derivatives_follow_the_chain_rule() {
        let found = program("f(2*t)", Some(1), true).unwrap();
        let jet = found.eval(Jet::time(0.5), &[]);
        // (2t)³ = 8 t³
        assert_eq!((jet.value, jet.rate, jet.curvature), (1.0, 6.0, 24.0));
        let rough = program("f(2*t)", Some(1), false).unwrap();
        assert!(
            rough.eval(Jet::time(0.5), &[]).rate.is_nan()
                || rough.eval(Jet::time(0.5), &[]).value.is_nan()
        );
    }

    #[test]
    fn a_call_with_too_few_or_too_many_arguments_is_an_error() {
        let fault = |text: &str, wanted| program(text, wanted, false).unwrap_err();
        assert_eq!(fault("f(1, 2)", Some(1)), "`f` takes 1 argument, not 2");
        assert_eq!(fault("f(1)", Some(2)), "`f` takes 2 arguments, not 1");
        let many = format!("f({})", ["1"; 17].join(", "));
        assert_eq!(fault(&many, None), "`f` takes at most 16 arguments, not 17");
        assert_eq!(fault("2*f", None), "`f` is a function");
    }
}
