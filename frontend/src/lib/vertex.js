const COLUMNS = "ABCDEFGHJKLMNOPQRST";

/** "D4" → [x, y], counted from the top left corner; "pass" → null. */
export function toPoint(vertex, size) {
  const match = /^([A-HJ-T])(\d{1,2})$/i.exec(vertex);
  if (!match) return null;
  const x = COLUMNS.indexOf(match[1].toUpperCase());
  const y = size - Number(match[2]);
  return x < size && y >= 0 && y < size ? [x, y] : null;
}

export const toVertex = ([x, y], size) => COLUMNS[x] + (size - y);

export const emptyMap = (size, value = null) => Array.from({ length: size }, () => Array(size).fill(value));

export const signOf = (colour) => (colour === "B" ? 1 : -1);

export const otherColour = (colour) => (colour === "B" ? "W" : "B");

export const colourName = (colour) => (colour === "B" ? "Black" : "White");
