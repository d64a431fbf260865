//! Pairs of surfaces that are not a ball and a signed distance. Each function returns the contact point in the axes of the first surface.

pub(super) mod curves;
pub(super) mod ellipsoids;
pub(super) mod planes;
pub(super) mod segments;
