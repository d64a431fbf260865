//! The known dimension of a part of a formula, and the rules of its combination.

use crate::units::Dimension;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InferredDimension {
    /// A bare number: compatible with any dimension, and so is a product with it.
    Bare,
    /// Has a dimension in products but is also accepted as a bare number: time, and the values of `sin` or `<`.
    Soft(Dimension),
    /// Has this dimension.
    Known(Dimension),
}

/// Two incompatible dimensions.
pub(super) type Clash = (Dimension, Dimension);

impl InferredDimension {
    pub(super) const PURE: Self = Self::Soft(Dimension::NONE);
    pub(super) const TIME: Self = Self::Soft(Dimension::TIME);

    pub(super) fn of(dimension: Option<Dimension>) -> Self {
        dimension.map_or(Self::Bare, Self::Known)
    }

    /// The dimension, if it is certain.
    pub(super) fn known(self) -> Option<Dimension> {
        match self {
            Self::Known(dimension) => Some(dimension),
            Self::Bare | Self::Soft(_) => None,
        }
    }

    pub(super) fn times(self, other: Self) -> Self {
        self.product(other, Dimension::times)
    }

    pub(super) fn over(self, other: Self) -> Self {
        self.product(other, Dimension::over)
    }

    /// Raises to `numerator/denominator`; a dimension that cannot be represented becomes unknown.
    pub(super) fn power(self, numerator: i32, denominator: i32) -> Self {
        match self {
            Self::Bare => Self::Bare,
            Self::Soft(d) => d
                .power(numerator, denominator)
                .map_or(Self::Bare, Self::Soft),
            Self::Known(d) => d
                .power(numerator, denominator)
                .map_or(Self::Bare, Self::Known),
        }
    }

    /// The dimension of a sum, a choice or a comparison, whose two sides must agree.
    pub(super) fn alike(self, other: Self) -> Result<Self, Clash> {
        match (self, other) {
            (Self::Known(a), Self::Known(b)) => {
                if a == b {
                    Ok(self)
                } else {
                    Err((a, b))
                }
            }
            (Self::Known(known), Self::Soft(soft)) if soft != known && !soft.is_none() => {
                Err((known, soft))
            }
            (Self::Soft(soft), Self::Known(known)) if soft != known && !soft.is_none() => {
                Err((soft, known))
            }
            (Self::Known(_), _) => Ok(self),
            (_, Self::Known(_)) => Ok(other),
            (Self::Soft(a), Self::Soft(b)) if a == b => Ok(self),
            _ => Ok(Self::Bare),
        }
    }

    /// Checks that it can be the argument of `sin`; otherwise returns the dimension.
    pub(super) fn pure(self) -> Result<(), Dimension> {
        match self {
            Self::Known(dimension) if !dimension.is_none() => Err(dimension),
            _ => Ok(()),
        }
    }

    fn product(self, other: Self, rule: fn(Dimension, Dimension) -> Option<Dimension>) -> Self {
        match (self, other) {
            (Self::Bare, _) | (_, Self::Bare) => Self::Bare,
            (Self::Soft(a), Self::Soft(b)) => rule(a, b).map_or(Self::Bare, Self::Soft),
            (Self::Soft(a) | Self::Known(a), Self::Soft(b) | Self::Known(b)) => {
                rule(a, b).map_or(Self::Bare, Self::Known)
            }
        }
    }
}
