//! Import of input cards of SISMUL (H. A. A. Henrique, master's dissertation, Escola Politécnica, Universidade de São Paulo, 1993, ch. 7).
//!
//! ```text
//! cards ─read→ Deck ─plan→ joints, names, inertias ─write→ model.toml
//! ```
//!
//! A SISMUL model is a tree: body k has its frame at O_k, its lower body j = L(k) the joint's reference point Q_k, and
//!
//! ```text
//! O_j → Q_k = q_k    Q_k → O_k = ξ_k   (axes of j)        O_k → G_k = r_k   (axes of k)        S_jk = Rx(α) Ry(β) Rz(γ)
//! ```
//!
//! Six flags lock ω̂ and ξ̇ in the axes of the lower body. In biela the first joint frame is therefore at Q_k with the axes of the lower body, and the second
//! is the frame of body k.
//!
//! ```
//! use biela_model::import::sismul;
//!
//! let cards = "\
//! PENDULUM
//!     0  no gravity
//!     1  two-dimensional
//!     0  no loop
//!     1  body
//! *C. M. ROD*
//! *PIN*
//!     0
//! 9.8
//! 5.0
//! 1.0       0.0       0.0
//! 0.0       0.0       0.0
//! 0.0       1.6666667 0.0
//! 0.0       0.0       1.6666667
//!     0
//!     0
//!     1    1    0    1    1    1
//!     1
//! 0.0       0.0       0.0       0.0       0.0       0.0
//! 0.0       0.0       30.0      0.0       0.0       0.0
//! 0.0       10.0      -8.0      0.00001
//! 0.01
//! ";
//! let imported = sismul::import("rod.dat", cards.as_bytes(), &sismul::SismulOptions::default());
//! let text = imported.text.unwrap();
//! assert!(text.contains("name = \"rod\"") && text.contains("type = \"revolute\""));
//! ```

mod cards;
mod deck;
mod inertia;
mod joints;
mod names;
mod read;
mod write;

use super::Imported;
use crate::diagnostic::{Diagnostic, Diagnostics, Sources};

/// The maximum number of bytes of cards.
const MOST_BYTES: usize = 4_000_000;

/// Options that the cards do not define.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SismulOptions {
    /// The unit of length of the cards as a formula, such as `"1 m/12"`; `None` for metres.
    pub length: Option<String>,
}

/// Converts cards to a model. Every problem is reported with its card and columns.
pub fn import(name: &str, cards: &[u8], options: &SismulOptions) -> Imported {
    let diagnostics = Diagnostics::new();
    let mut sources = Sources::new();
    if cards.len() > MOST_BYTES {
        let message =
            format!("{name} has more than {MOST_BYTES} bytes, the limit for decks of cards");
        diagnostics.push(Diagnostic::error("too-large", message));
        return Imported::new(None, "the cards", sources, diagnostics);
    }
    let text = super::decoded(cards);
    let source = sources.add(name, text.as_str());
    let deck = read::deck(&text, source, &diagnostics);
    let text = deck.and_then(|deck| write::model(&deck, name, options, &diagnostics));
    Imported::new(text, "the cards", sources, diagnostics)
}
