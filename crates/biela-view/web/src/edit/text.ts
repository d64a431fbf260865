// Helpers for the text of the model language: strings, inline tables, numbers.

/** The content of a string without escapes; other text unchanged. */
export function unquoted(value: string): string {
  const plain = /^"([^"\\\n]*)"$/.exec(value) ?? /^'([^'\n]*)'$/.exec(value);
  return plain ? plain[1] : value;
}

/** A text as a string, unless it is one already. */
export function quoted(text: string): string {
  return /^".*"$|^'.*'$/s.test(text) ? text : JSON.stringify(text);
}

/** Keys and values of `{ a = 1, b = [2, 3] }` as written; null for other text. */
export function inlineTable(text: string): [string, string][] | null {
  const inside = /^\{(.*)\}$/s.exec(text.trim())?.[1];
  if (inside === undefined || inside.includes("#")) return null;
  const entries: [string, string][] = [];
  for (const part of pieces(inside, ",")) {
    if (part.trim() === "") continue;
    const [key, ...value] = pieces(part, "=");
    if (value.length === 0 || !/^[\w-]+$/.test(key.trim())) return null;
    entries.push([key.trim(), value.join("=").trim()]);
  }
  return entries;
}

/** Splits at a separator outside brackets and strings. */
function pieces(text: string, sign: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let quote = "";
  let from = 0;
  for (let k = 0; k < text.length; k++) {
    const c = text[k];
    if (quote !== "") {
      if (c === "\\" && quote === '"') k++;
      else if (c === quote) quote = "";
    } else if (c === '"' || c === "'") quote = c;
    else if ("[{".includes(c)) depth++;
    else if ("]}".includes(c)) depth--;
    else if (c === sign && depth === 0) {
      parts.push(text.slice(from, k));
      from = k + 1;
    }
  }
  parts.push(text.slice(from));
  return parts;
}

/** Rounds a value to seven digits of a size. */
export function tidy(value: number, size: number): number {
  const step = 10 ** (Math.floor(Math.log10(Math.max(size, 1e-9))) - 6);
  const round = Number((Math.round(value / step) * step).toPrecision(10));
  return round === 0 ? 0 : round;
}

export function list(values: number[]): string {
  return `[${values.join(", ")}]`;
}

const FACTORS: Record<string, number> = { m: 1, cm: 1e-2, mm: 1e-3, um: 1e-6, km: 1e3 };

/** Lengths such as `0.2, 35 mm`; null if one is invalid. */
export function lengths(text: string): number[] | null {
  const values = text.split(/[,;]/).map((part) => {
    const found = /^\s*([-+−]?[\d.]+(?:e[-+]?\d+)?)\s*([a-z]*)\s*$/i.exec(part);
    const factor = found ? FACTORS[found[2] || "m"] : undefined;
    return found && factor !== undefined ? Number(found[1].replace("−", "-")) * factor : Number.NaN;
  });
  return values.every(Number.isFinite) ? values : null;
}
