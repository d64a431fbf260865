// Colours that colour-blind users can distinguish (Paul Tol's schemes), for both themes.

import { Color } from "three";

export const BODIES = ["#77aadd", "#ee8866", "#44bb99", "#eedd88", "#aa99dd", "#bbcc33", "#ffaabb", "#99ddff"];
const GROUND = "#9aa3ad";

const LINES_LIGHT = ["#33669b", "#c2410c", "#1b7837", "#88226f", "#8a6d00", "#0f7c86", "#b0224f", "#4d5560"];
const LINES_DARK = ["#7fb2e5", "#f2966f", "#57c9a4", "#d39be0", "#e6cf6a", "#79d5de", "#ff9db4", "#b9c2cc"];

export function bodyColor(index: number): Color {
  return new Color(index === 0 ? GROUND : BODIES[(index - 1) % BODIES.length]);
}

export function lineColor(index: number, dark: boolean): string {
  const colors = dark ? LINES_DARK : LINES_LIGHT;
  return colors[index % colors.length];
}

export interface Theme {
  dark: boolean;
  background: Color;
  grid: Color;
  edge: Color;
  glyph: Color;
  glyphFill: Color;
  accent: Color;
  spring: Color;
  reaction: Color;
  force: Color;
  surface: Color;
}

/** Colours of the states of a contact: open, stick, slip. */
export function stateColor(state: number, dark: boolean): string {
  const [stick, slip] = dark ? ["#6db3f2", "#ff9d4d"] : ["#0b5cb8", "#db5c00"];
  return state > 1.5 ? slip : state > 0.5 ? stick : "transparent";
}

export function theme(dark: boolean): Theme {
  const color = (light: string, night: string) => new Color(dark ? night : light);
  return {
    dark,
    background: color("#f7f8fa", "#15191f"),
    grid: color("#8f99a6", "#5b6675"),
    edge: color("#27313d", "#0b0e12"),
    glyph: color("#2b3541", "#dfe5ec"),
    glyphFill: color("#ffffff", "#232a33"),
    accent: color("#d4351c", "#ffb454"),
    spring: color("#5b6470", "#aab4c0"),
    reaction: color("#8a2b7d", "#e29be0"),
    force: color("#b4400b", "#ff9d66"),
    surface: color("#565d68", "#b4bcc8"),
  };
}

const DIVERGING = ["#1f5fa8", "#5b97cf", "#b9bfc7", "#e8946a", "#b5390f"].map((c) => new Color(c));
const RISING = ["#35518f", "#3d7f93", "#4fae86", "#a5cf5f", "#f4e04d"].map((c) => new Color(c));

/** The colour of a value within a range; a range with both signs is centred at zero. */
export function valueColor(value: number, low: number, high: number, out: Color): Color {
  const signed = low < 0 && high > 0;
  const most = Math.max(Math.abs(low), Math.abs(high));
  const width = signed ? 2 * most : high - low;
  const share = width > 0 ? (value - (signed ? -most : low)) / width : 0.5;
  const stops = signed ? DIVERGING : RISING;
  const at = Math.max(0, Math.min(1, share)) * (stops.length - 1);
  const k = Math.min(stops.length - 2, Math.floor(at));
  return out.copy(stops[k]).lerp(stops[k + 1], at - k);
}
