//! Parser: tokens to syntax tree, by binding powers (precedence climbing).
//!
//! Left-associative operators loop; only constructs with unbounded nesting (brackets, calls, signs, powers, choices) recurse and count against [`MAX_DEPTH`].
//! Every byte is read a bounded number of times.

use std::ops::Range;

use super::ast::{Ast, AstNode, NodeId, NodeKind};
use super::functions::{builtin, is_keyword};
use super::lexer::{self, Token};
use super::ops::{Binary, Unary};
use super::{ExprError, MAX_DEPTH, MAX_LENGTH};
use crate::units::{Unit, is_unit_start, unit_help, unit_name_length, unit_named, unknown_unit};

/// Binding powers, from loose to tight.
mod power {
    pub(super) const ANY: u8 = 0;
    pub(super) const CHOICE: u8 = 1;
    pub(super) const OR: u8 = 2;
    pub(super) const AND: u8 = 3;
    pub(super) const NOT: u8 = 4;
    pub(super) const COMPARISON: u8 = 5;
    pub(super) const SUM: u8 = 6;
    pub(super) const PRODUCT: u8 = 7;
    pub(super) const SIGN: u8 = 8;
    pub(super) const POWER: u8 = 9;
}

/// Parses a quantity or formula.
///
/// ```
/// use biela_model::expr::parse;
///
/// assert!(parse("20 N*m").is_ok());
/// assert!(parse("2*sin(3*t) + crank.angle^2").is_ok());
///
/// let error = parse("2 * (3 + x").unwrap_err();
/// assert_eq!((error.span, error.message.as_str()), (10..10, "a closing `)` is missing here"));
/// ```
pub fn parse(text: &str) -> Result<Ast, ExprError> {
    if text.len() > MAX_LENGTH {
        let message = format!(
            "the formula has {} bytes; at most {MAX_LENGTH} are allowed",
            text.len()
        );
        let mut end = MAX_LENGTH;
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        return Err(ExprError::new(0..end, message).help("move parts of it into parameters"));
    }
    if let Some(node) = whole_quantity(text)? {
        return Ok(Ast {
            nodes: vec![node],
            length: text.len(),
        });
    }
    let mut parser = Parser {
        text,
        at: 0,
        peeked: None,
        depth: 0,
        nodes: Vec::new(),
    };
    let _ = parser.expression(power::ANY)?;
    parser.finish()?;
    Ok(Ast {
        nodes: parser.nodes,
        length: text.len(),
    })
}

/// Parses the whole text as one number with a unit, if it is one.
fn whole_quantity(text: &str) -> Result<Option<AstNode>, ExprError> {
    let trimmed = text.trim();
    let start = text.len() - text.trim_start().len();
    let unsigned = trimmed.strip_prefix(['-', '+']).unwrap_or(trimmed);
    let Some((magnitude, length)) = lexer::number(unsigned) else {
        return Ok(None);
    };
    let unit_text = unsigned[length..].trim_start();
    // Spaces inside make it a formula: `5 mm * t` multiplies by the time, not by a tonne.
    if unit_text.is_empty() || unit_text.contains(char::is_whitespace) {
        return Ok(None);
    }
    let Ok(unit) = Unit::parse(unit_text) else {
        return Ok(None);
    };
    let span = start..start + trimmed.len();
    if unit_text
        .split(['*', '·', '/', '(', ')', '^'])
        .skip(1)
        .any(|factor| factor == "t")
    {
        let number = &trimmed[..trimmed.len() - unsigned.len() + length];
        let before = unit_text.strip_suffix("*t").filter(|unit| {
            let mut factors = unit.split(['*', '·', '/', '(', ')', '^']);
            Unit::parse(unit).is_ok() && factors.all(|factor| factor != "t")
        });
        let time = match before {
            Some(unit) => format!("for the time write `{number} [{unit}] * t`"),
            None => "for the time put the unit in brackets and `t` after it: `5 [mm/s] * t`".into(),
        };
        let help = format!("for the tonne write `{number} [{unit_text}]`; {time}");
        return Err(ExprError::new(span, "`t` could be the tonne or the time here").help(help));
    }
    let value = if trimmed.starts_with('-') {
        -magnitude
    } else {
        magnitude
    };
    let value = finite(unit.to_si(value), &span)?;
    Ok(Some(AstNode {
        kind: NodeKind::Quantity(value, unit.dimension),
        span,
    }))
}

fn finite(value: f64, span: &Range<usize>) -> Result<f64, ExprError> {
    if value.is_finite() {
        Ok(value)
    } else {
        Err(ExprError::new(span.clone(), "the number is too large"))
    }
}

/// A parsed part: its node, and its range in the text including brackets.
struct ParsedNode {
    id: NodeId,
    span: Range<usize>,
}

struct Parser<'a> {
    text: &'a str,
    /// The offset of the next token.
    at: usize,
    peeked: Option<(Token, Range<usize>)>,
    depth: usize,
    nodes: Vec<AstNode>,
}

impl Parser<'_> {
    fn expression(&mut self, least: u8) -> Result<ParsedNode, ExprError> {
        let mut left = self.prefix()?;
        loop {
            let (token, span) = self.peek()?;
            let Some((binding, operation)) = infix(&token) else {
                break;
            };
            if binding < least {
                break;
            }
            self.advance(&span);
            let part = match operation {
                Infix::Choice => {
                    let yes = self.nested(power::ANY, &span)?;
                    let _ = self.expect(":", "condition ? a : b")?;
                    let no = self.nested(power::CHOICE, &span)?;
                    let whole = left.span.start..no.span.end;
                    self.push(NodeKind::If(left.id, yes.id, no.id), whole)
                }
                Infix::Operator(Binary::Power) => {
                    let right = self.nested(power::SIGN, &span)?;
                    self.binary(Binary::Power, &left, &right)
                }
                Infix::Operator(operator) => {
                    if operator == Binary::Modulo {
                        self.refuse_percentage(&left)?;
                    }
                    let right = self.expression(binding + 1)?;
                    self.binary(operator, &left, &right)
                }
            };
            left = part;
            if binding == power::COMPARISON {
                let (token, span) = self.peek()?;
                if infix(&token).is_some_and(|(next, _)| next == power::COMPARISON) {
                    return Err(ExprError::new(span, "comparisons cannot be chained")
                        .help("join them with `and`: `a < b and b < c`"));
                }
            }
        }
        Ok(left)
    }

    /// Refuses a number with `%` and an operator or nothing behind it: `50 % + 1` would be the remainder of 50 by +1.
    fn refuse_percentage(&mut self, left: &ParsedNode) -> Result<(), ExprError> {
        let literal = &self.text[left.span.clone()];
        let is_literal = lexer::number(literal).is_some_and(|(_, length)| length == literal.len());
        let (token, behind) = self.peek()?;
        let ends = matches!(token, Token::End | Token::Sign(")" | "," | ":"));
        // `7 % -4` has a negative divisor, `7 % - 4` a difference
        let is_sign = token == Token::Sign("-") && !self.text[behind.end..].starts_with(' ');
        if !is_literal || is_sign || !(ends || infix(&token).is_some()) {
            return Ok(());
        }
        let percentage = left.span.start..behind.start;
        let percentage = left.span.start..left.span.start + self.text[percentage].trim_end().len();
        let message = "`%` between two values is the remainder; a percentage needs brackets here";
        Err(ExprError::new(percentage, message).help(format!(
            "for a percentage write `{literal} [%]`; for the remainder put the divisor in parentheses: `{literal} % (…)`"
        )))
    }

    fn prefix(&mut self) -> Result<ParsedNode, ExprError> {
        let (token, span) = self.peek()?;
        match token {
            Token::Number(value) => {
                self.advance(&span);
                self.number(value, span)
            }
            Token::Name { text, quoted } => {
                if !quoted && is_keyword(&text) && text != "if" {
                    if text == "not" {
                        self.advance(&span);
                        return self.unary(Unary::Not, power::NOT, &span);
                    }
                    return Err(ExprError::new(
                        span,
                        format!("a value is missing before `{text}`"),
                    ));
                }
                self.advance(&span);
                self.name(text, span)
            }
            Token::Sign("-") => {
                self.advance(&span);
                self.unary(Unary::Negate, power::SIGN, &span)
            }
            Token::Sign("+") => {
                self.advance(&span);
                let operand = self.nested(power::SIGN, &span)?;
                Ok(ParsedNode {
                    id: operand.id,
                    span: span.start..operand.span.end,
                })
            }
            Token::Sign("(") => {
                self.advance(&span);
                let inner = self.nested(power::ANY, &span)?;
                let close = self.expect(")", "")?;
                Ok(ParsedNode {
                    id: inner.id,
                    span: span.start..close.end,
                })
            }
            Token::Sign("[") => Err(misplaced_bracket(span)),
            Token::Sign(sign) => Err(ExprError::new(
                span,
                format!("a value is missing before `{sign}`"),
            )),
            Token::End if self.nodes.is_empty() && self.text.trim().is_empty() => {
                Err(ExprError::new(0..self.text.len(), "the formula is empty"))
            }
            Token::End => Err(ExprError::new(span, "a value is missing here")),
        }
    }

    /// Parses a number and the following unit.
    fn number(&mut self, value: f64, span: Range<usize>) -> Result<ParsedNode, ExprError> {
        let rest = &self.text[span.end..];
        let start = span.end + rest.len() - rest.trim_start().len();
        let rest = &self.text[start..];
        let (unit, end) = match rest.chars().next() {
            Some('[') => {
                let inside = &rest[1..];
                let Some(length) = inside.find(']') else {
                    return Err(ExprError::new(
                        start..start + 1,
                        "the closing `]` of this unit is missing",
                    ));
                };
                let unit = Unit::parse(&inside[..length])
                    .map_err(|error| ExprError::in_unit(error, start + 1))?;
                (unit, start + length + 2)
            }
            Some(c)
                if is_unit_start(c) && c != '%' && !is_keyword(&rest[..unit_name_length(rest)]) =>
            {
                self.unit_atom(start)?
            }
            _ => return Ok(self.push(NodeKind::Number(value), span)),
        };
        self.at = end;
        let span = span.start..end;
        let value = finite(unit.to_si(value), &span)?;
        Ok(self.push(NodeKind::Quantity(value, unit.dimension), span))
    }

    /// Parses a single unit with an optional integer power. Returns it with its end.
    fn unit_atom(&self, start: usize) -> Result<(Unit, usize), ExprError> {
        let rest = &self.text[start..];
        let length = unit_name_length(rest);
        let name = &rest[..length];
        let Some(unit) = unit_named(name) else {
            let mut error = ExprError::in_unit(unknown_unit(name, 0..length), start);
            if unit_help(name).is_none() {
                error = error.help(format!("a product is written with `*`: `2*{name}`"));
            }
            return Err(error);
        };
        let behind = &rest[length..];
        if let Some(sign) = behind.chars().next().filter(|c| matches!(c, '²' | '³')) {
            let end = start + length + sign.len_utf8();
            return Unit::parse(&self.text[start..end])
                .map(|unit| (unit, end))
                .map_err(|error| ExprError::in_unit(error, start));
        }
        let Some(exponent) = behind.trim_start().strip_prefix('^') else {
            return Ok((unit, start + length));
        };
        let exponent = exponent.trim_start();
        let exponent_start = self.text.len() - exponent.len();
        let sign = usize::from(exponent.starts_with('-'));
        let whole = match lexer::number(&exponent[sign..]) {
            Some((_, digits)) => exponent[..sign + digits]
                .parse::<i32>()
                .ok()
                .map(|n| (n, sign + digits)),
            None => None,
        };
        let Some((exponent, width)) = whole else {
            return Err(ExprError::new(
                exponent_start..exponent_start,
                "the exponent of a unit must be an integer",
            )
            .help(format!(
                "to raise the number together with its unit, use brackets: `(2 {name})^x`"
            )));
        };
        let end = exponent_start + width;
        match unit.power(exponent) {
            Some(unit) => Ok((unit, end)),
            None => Err(ExprError::new(
                start..end,
                "the factor of the unit overflows or underflows",
            )),
        }
    }

    /// Parses a name, or a call if a bracket follows.
    fn name(&mut self, name: String, name_span: Range<usize>) -> Result<ParsedNode, ExprError> {
        let (token, open) = self.peek()?;
        if token != Token::Sign("(") {
            if name == "if" {
                return Err(ExprError::new(
                    name_span,
                    "`if` is written `if(condition, a, b)`",
                ));
            }
            return Ok(self.push(NodeKind::Name(name), name_span));
        }
        self.advance(&open);
        let mut arguments = Vec::new();
        if self.peek()?.0 != Token::Sign(")") {
            loop {
                arguments.push(self.nested(power::ANY, &open)?.id);
                let (token, span) = self.peek()?;
                if token != Token::Sign(",") {
                    break;
                }
                self.advance(&span);
            }
        }
        let usage = builtin(&name).map_or("", |(_, usage)| usage);
        let close = self.expect(")", usage)?;
        let span = name_span.start..close.end;
        Ok(self.push(
            NodeKind::Call {
                name,
                name_span,
                arguments,
            },
            span,
        ))
    }

    fn unary(
        &mut self,
        operator: Unary,
        binding: u8,
        sign: &Range<usize>,
    ) -> Result<ParsedNode, ExprError> {
        let operand = self.nested(binding, sign)?;
        Ok(self.push(
            NodeKind::Unary(operator, operand.id),
            sign.start..operand.span.end,
        ))
    }

    fn binary(&mut self, operator: Binary, left: &ParsedNode, right: &ParsedNode) -> ParsedNode {
        self.push(
            NodeKind::Binary(operator, left.id, right.id),
            left.span.start..right.span.end,
        )
    }

    /// Parses an expression one nesting level deeper.
    fn nested(&mut self, least: u8, opened: &Range<usize>) -> Result<ParsedNode, ExprError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(ExprError::new(
                opened.clone(),
                format!("the formula is nested more than {MAX_DEPTH} levels deep"),
            )
            .help("move the inner part into a parameter"));
        }
        let part = self.expression(least)?;
        self.depth -= 1;
        Ok(part)
    }

    fn push(&mut self, kind: NodeKind, span: Range<usize>) -> ParsedNode {
        self.nodes.push(AstNode {
            kind,
            span: span.clone(),
        });
        ParsedNode {
            id: NodeId(self.nodes.len() - 1),
            span,
        }
    }

    fn peek(&mut self) -> Result<(Token, Range<usize>), ExprError> {
        if let Some(peeked) = &self.peeked {
            return Ok(peeked.clone());
        }
        let token = lexer::next(self.text, self.at)?;
        self.peeked = Some(token.clone());
        Ok(token)
    }

    fn advance(&mut self, seen: &Range<usize>) {
        self.at = seen.end;
        self.peeked = None;
    }

    fn expect(&mut self, sign: &'static str, usage: &str) -> Result<Range<usize>, ExprError> {
        let (token, span) = self.peek()?;
        if token == Token::Sign(sign) {
            self.advance(&span);
            return Ok(span);
        }
        let closing = if sign == ")" { "a closing" } else { "a" };
        let error = ExprError::new(span, format!("{closing} `{sign}` is missing here"));
        Err(if usage.is_empty() {
            error
        } else {
            error.help(format!("write `{usage}`"))
        })
    }

    /// Reports trailing text after the formula.
    fn finish(&mut self) -> Result<(), ExprError> {
        let (token, span) = self.peek()?;
        let error = match token {
            Token::End => return Ok(()),
            Token::Sign(")") => ExprError::new(span, "unmatched `)`"),
            Token::Sign(",") => {
                ExprError::new(span, "a comma separates the arguments of a function")
                    .help("decimals are written with a point: `0.5`")
            }
            Token::Sign(":") => ExprError::new(span, "this `:` has no `?` before it"),
            Token::Sign("[") => misplaced_bracket(span),
            _ => ExprError::new(span, "an operator is missing here")
                .help("a product is written with `*`"),
        };
        Err(error)
    }
}

fn misplaced_bracket(span: Range<usize>) -> ExprError {
    ExprError::new(span, "a unit in square brackets follows a number")
        .help("write for example `5 [N*m]`")
}

enum Infix {
    Operator(Binary),
    Choice,
}

/// The binding power and meaning of an infix token.
fn infix(token: &Token) -> Option<(u8, Infix)> {
    let (binding, operator) = match token {
        Token::Sign(sign) => match *sign {
            "?" => return Some((power::CHOICE, Infix::Choice)),
            "<" => (power::COMPARISON, Binary::Less),
            "<=" => (power::COMPARISON, Binary::LessOrEqual),
            ">" => (power::COMPARISON, Binary::Greater),
            ">=" => (power::COMPARISON, Binary::GreaterOrEqual),
            "==" => (power::COMPARISON, Binary::Equal),
            "!=" => (power::COMPARISON, Binary::NotEqual),
            "+" => (power::SUM, Binary::Add),
            "-" => (power::SUM, Binary::Subtract),
            "*" => (power::PRODUCT, Binary::Multiply),
            "/" => (power::PRODUCT, Binary::Divide),
            "%" => (power::PRODUCT, Binary::Modulo),
            "^" => (power::POWER, Binary::Power),
            _ => return None,
        },
        Token::Name {
            text,
            quoted: false,
        } => match text.as_str() {
            "or" => (power::OR, Binary::Or),
            "and" => (power::AND, Binary::And),
            _ => return None,
        },
        _ => return None,
    };
    Some((binding, Infix::Operator(operator)))
}
