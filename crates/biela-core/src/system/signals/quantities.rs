//! The list of the quantities of an element family.

/// Defines the quantities of an element family, one entry each: variant, name, SI unit, stage, text and value. A unit such as `m|rad` is that along a length
/// and that along an angle; a text that ends with the name of a space belongs to a quantity of this space only.
macro_rules! quantities {
    ($(#[$doc:meta])* $kind:ident, $at:ident: $source:ty {
        $($variant:ident $name:literal $unit:literal $stage:ident $text:literal = $value:expr,)*
    }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $kind {
            $(#[doc = $text] $variant,)*
        }

        impl $kind {
            /// All quantities, in the order of the results.
            pub const ALL: &'static [$kind] = &[$($kind::$variant),*];

            /// The name after the dot.
            pub const fn name(self) -> &'static str {
                match self { $($kind::$variant => $name),* }
            }
            /// SI unit, "1" for none; of `m|rad` the first along a length, the second along an angle.
            pub const fn unit(self) -> &'static str {
                match self { $($kind::$variant => $unit),* }
            }
            /// The stage at which it is known.
            pub const fn stage(self) -> $crate::model::Stage {
                match self { $($kind::$variant => $crate::model::Stage::$stage),* }
            }
            /// One-line description.
            pub const fn text(self) -> &'static str {
                match self { $($kind::$variant => $text),* }
            }
            /// The value; NaN before its stage.
            pub(super) fn value(self, $at: $source) -> f64 {
                match self { $($kind::$variant => $value),* }
            }
        }

        impl From<$kind> for $crate::system::SignalDescription {
            fn from(q: $kind) -> Self {
                Self { name: q.name(), unit: q.unit(), stage: q.stage(), text: q.text() }
            }
        }
    };
}

pub(super) use quantities;
