import { click } from "../lib/sound.js";
import { download, readSgf } from "../lib/files.js";
import { forgotten, received } from "./analyses.js";
import { goTo, hashFor, readHash } from "./route.js";
import { lastGame, rememberGame, writeSettings } from "./settings.js";
import { change, shownTurn, state } from "./store.js";
import { Socket } from "./socket.js";

let socket = null;

export function connect() {
  const address = new URL("ws", location.href.replace(/^http/, "ws").replace(/[?#].*$/, ""));
  socket = new Socket(address, { onMessage: take, onState: connected });
}

async function connected(connection) {
  change({ connection, joined: false, ...forgotten() });
  if (connection !== "open") return;
  const id = readHash().game ?? state.game?.game ?? lastGame();
  ask({ type: "hello" });
  if (!id) return;
  try {
    await socket.request({ type: "open", game: id });
  } catch (error) {
    if (state.connection !== "open") return;
    change({ game: null });
    if (readHash().game) notify(error.message);
  }
}

function take(message) {
  if (message.type === "welcome") change({ welcome: message });
  else if (message.type === "game") takeGame(message);
  else if (message.type === "analysis") received(message);
  else if (message.type === "tree") change(({ trees }) => ({ trees: { ...trees, [treeKey(message)]: message } }));
  else if (message.type === "review") takeReview(message);
  else if (message.type === "error") takeError(message);
}

function takeError({ field, message }) {
  if (field === "review") noReview(message);
  else notify(message);
}

export const treeKey = ({ slot, path }) => `${slot} ${path.join(" ")}`;

function takeGame(game) {
  const before = state.game;
  const same = before?.game === game.game;
  const stayed = same && state.shown != null && state.shown < before.moves.length;
  change({
    ...(same ? { opinions: {} } : forgotten()),
    game,
    joined: true,
    receivedAt: performance.now(),
    shown: stayed ? Math.min(state.shown, game.moves.length) : null,
    notice: null,
  });
  if (!same) {
    rememberGame(game.game);
    goTo(hashFor(state.tab, game.game));
  }
  const grew = same && game.moves.length > before.moves.length;
  if (grew && state.settings.sound && game.moves.at(-1)[1] !== "pass") click();
}

function takeReview(message) {
  if (message.game !== state.game?.game) return;
  const { done, total, turns } = message;
  change(({ game }) => ({ game: { ...game, review: { done, total, turns } } }));
}

/** A word in the status line; a passing one goes when the pointer moves on. */
export const notify = (text, passing = false) => change({ notice: { text, passing } });

export const passOver = () => state.notice?.passing && change({ notice: null });

/** A request whose failure is told in the status line. */
const ask = (message) => socket.request(message).catch((error) => notify(error.message));

export const send = (message) => socket.send(message);

const about = (type, more = {}) => ask({ type, game: state.game.game, turn: state.game.moves.length, ...more });

export const play = (vertex) => about("play", { vertex });
export const undo = (to) => about("undo", to == null ? {} : { to });
export const resign = () => about("resign");
export const toggleDead = (vertex) => about("dead", { vertex });
export const accept = () => about("accept");
export const resume = () => about("resume");

export function review() {
  change(({ game }) => ({ game: { ...game, review: { done: 0, total: game.moves.length + 1, turns: [] } } }));
  socket.request({ type: "review", game: state.game.game }).catch((error) => noReview(error.message));
}

function noReview(why) {
  change(({ game }) => ({ game: game && { ...game, review: null } }));
  notify(why);
}

function leave() {
  if (state.game) send({ type: "leave", game: state.game.game });
}

export async function newGame(settings) {
  const left = state.game?.game;
  const answer = await socket.request({ type: "new", ...settings });
  if (left && left !== answer.game) send({ type: "leave", game: left });
  return answer;
}

export function openGame(id) {
  if (id === state.game?.game) return;
  leave();
  ask({ type: "open", game: id });
}

export async function load(file) {
  if (!file) return;
  const left = state.game?.game;
  const answer = await ask({ type: "load", sgf: await readSgf(file) });
  if (!answer) return;
  if (left) send({ type: "leave", game: left });
  if (state.tab === "results") goTo(hashFor("play", answer.game));
}

export async function save() {
  const answer = await ask({ type: "save", game: state.game.game });
  if (answer) download(answer.text, answer.name);
}

export function look(turn) {
  if (!state.game) return;
  const last = state.game.moves.length;
  const shown = Math.min(last, Math.max(0, turn));
  change({ shown: shown === last ? null : shown, notice: null });
}

export const lookBy = (steps) => look(shownTurn(state) + steps);

export function set(part) {
  const settings = { ...state.settings, ...part };
  writeSettings(settings);
  change({ settings });
}
