/** Nine steps of cividis: grows in lightness, the same for all kinds of colour vision. */
export const SEQUENTIAL = [
  "#00224e", "#123570", "#3b496c", "#575d6d", "#707173", "#8a8678", "#a59c74", "#c3b369", "#fee838",
];

/** Orange for low, blue for high: the pair that is told apart by nearly everybody. */
export const DIVERGING = [
  "#b35806", "#e08214", "#fdb863", "#fee0b6", "#f7f7f7", "#c6dbef", "#85b6dc", "#3d85c0", "#08519c",
];

/** Steps of one blue for the leading moves. */
export const CANDIDATES = [
  "#dbe9f6", "#c9def0", "#b5d2ea", "#9cc4e2", "#7fb2d8", "#5f9dcc", "#4187bd", "#2570ad", "#0b5797",
];

/** Colours for lines (Okabe & Ito), without the yellow that is lost on white. */
export const LINES = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9"];

const clamp = (value) => Math.min(1, Math.max(0, value));

/** A share 0…1 of the scale → step 1…9. */
export const step = (share) => 1 + Math.min(8, Math.floor(clamp(share) * 9));

/** A value around a centre → step 1…9, 5 in the middle. */
export const stepAround = (value, centre, reach) => step(0.5 + (value - centre) / (2 * reach));

/** Whether writing on this colour should be dark. */
export function isLight(hex) {
  const [red, green, blue] = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255);
  return 0.299 * red + 0.587 * green + 0.114 * blue > 0.56;
}
