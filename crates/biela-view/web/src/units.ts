// Numbers with units, formatted for reading.

/** Factor and name of a unit in the chosen set: SI, or millimetres and degrees. */
export function shown(unit: string, set: "si" | "mm"): { factor: number; unit: string } {
  if (set === "mm") {
    const degrees = 180 / Math.PI;
    if (unit === "m") return { factor: 1e3, unit: "mm" };
    if (unit === "m/s") return { factor: 1e3, unit: "mm/s" };
    if (unit === "rad") return { factor: degrees, unit: "deg" };
    if (unit === "rad/s") return { factor: degrees, unit: "deg/s" };
    if (unit === "rad/s^2") return { factor: degrees, unit: "deg/s²" };
  }
  return { factor: 1, unit: unit === "1" ? "" : pretty(unit) };
}

/** `kg*m^2` as `kg·m²`. */
export function pretty(unit: string): string {
  return unit.replaceAll("*", "·").replaceAll("^2", "²").replaceAll("^3", "³").replaceAll("^4", "⁴");
}

/** Five significant digits without trailing zeros; a typographic minus sign. */
export function number(value: number, digits = 5): string {
  if (!Number.isFinite(value)) return "–";
  if (value === 0) return "0";
  const size = Math.abs(value);
  let text: string;
  if (size >= 1e6 || size < 1e-4) {
    const [mantissa, exponent] = value.toExponential(digits - 1).split("e");
    text = `${trim(mantissa)}e${Number(exponent)}`;
  } else {
    text = trim(value.toPrecision(digits));
    if (text.includes("e")) text = String(Math.round(value));
  }
  return text.replaceAll("-", "−");
}

/** Labels of evenly spaced ticks, with as many digits as distinguish them. */
export function tickLabels(ticks: number[], digits: number): string[] {
  const size = Math.max(...ticks.map(Math.abs));
  const step = ticks.length > 1 ? Math.abs(ticks[1] - ticks[0]) : size;
  const needed = size > 0 && step > 0 ? Math.floor(Math.log10(size)) - Math.floor(Math.log10(step)) + 2 : digits;
  const most = Math.max(digits, Math.min(15, needed));
  // a value far below the step is zero with a rounding error
  return ticks.map((tick) => number(Math.abs(tick) < 1e-6 * step ? 0 : tick, most));
}

function trim(text: string): string {
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

export function quantity(value: number, unit: string, set: "si" | "mm", digits = 5): string {
  const to = shown(unit, set);
  return `${number(value * to.factor, digits)}${to.unit ? ` ${to.unit}` : ""}`;
}

/** Several numbers with one unit. */
export function quantities(values: number[], unit: string, set: "si" | "mm", digits = 4): string {
  const to = shown(unit, set);
  const largest = Math.max(...values.map(Math.abs));
  // a value far below the others is a rounding error
  const texts = values.map((value) => number(Math.abs(value) < 1e-7 * largest ? 0 : value * to.factor, digits));
  return `${texts.join(", ")}${to.unit ? ` ${to.unit}` : ""}`;
}

/** A time with as many decimals as the length of its run needs. */
export function clockTime(time: number, length: number): string {
  const decimals = Math.max(0, Math.min(9, 3 - Math.floor(Math.log10(Math.max(length, 1e-9)))));
  return `${time.toFixed(Math.min(decimals, 6)).replace("-", "−")} s`;
}
