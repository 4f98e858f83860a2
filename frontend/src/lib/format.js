export const percent = (value, digits = 1) => (value == null ? "–" : `${(100 * value).toFixed(digits)} %`);

export function signed(value, digits = 1) {
  if (value == null) return "–";
  const size = Math.abs(value).toFixed(digits);
  if (Number(size) === 0) return size;
  return (value < 0 ? "−" : "+") + size;
}

export const fixed = (value, digits = 2) => (value == null ? "–" : value.toFixed(digits));

/** 1234 → "1.23k", never wider than five signs. */
export function compact(count) {
  if (count < 1000) return String(count);
  const [scaled, unit] = count < 999_500 ? [count / 1e3, "k"] : [count / 1e6, "M"];
  return scaled.toFixed(scaled < 10 ? 1 : 0) + unit;
}

export const grouped = (count) => String(count).replace(/\B(?=(\d{3})+$)/g, "\u202f");

/** Seconds → "1:05"; below ten seconds with tenths. */
export function clockTime(seconds) {
  if (seconds < 10) return `0:0${Math.max(0, Math.floor(seconds * 10) / 10).toFixed(1)}`;
  const whole = Math.floor(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (number) => String(number).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** "B+3.5" → "Black wins by 3.5 points". */
export function resultWords(result) {
  if (!result) return "";
  if (result === "0" || /^(draw|jigo)$/i.test(result)) return "A draw";
  const match = /^([BW])\+(.*)$/i.exec(result);
  if (!match) return result;
  const winner = match[1].toUpperCase() === "B" ? "Black" : "White";
  const how = match[2].toUpperCase();
  if (how === "R" || how === "RESIGN") return `${winner} wins by resignation`;
  if (how === "T" || how === "TIME") return `${winner} wins on time`;
  if (how === "F" || how === "FORFEIT") return `${winner} wins by forfeit`;
  if (!how) return `${winner} wins`;
  return `${winner} wins by ${how} ${how === "1" ? "point" : "points"}`;
}

/** A win rate of Black's, as seen by a colour. */
export const seenBy = (winrate, colour) => (winrate == null || colour === "B" ? winrate : 1 - winrate);
