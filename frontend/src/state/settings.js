const KEY = "montego-settings";

const DEFAULTS = {
  theme: "system",
  sound: false,
  heat: "none",
  perspective: "mover",
  convergence: "winrate",
  analyst: "house",
  visits: 0,
  compare: ["mogo-2006", "mogo-2007"],
  newGame: {},
};

/** Storage may be forbidden to a page; then settings last as long as the page. */
function stored(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function store(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    return;
  }
}

export function readSettings() {
  try {
    return { ...DEFAULTS, ...JSON.parse(stored(KEY) ?? "{}") };
  } catch {
    return DEFAULTS;
  }
}

export const writeSettings = (settings) => store(KEY, JSON.stringify(settings));

export const lastGame = () => stored("montego-game");

export const rememberGame = (id) => store("montego-game", id);
