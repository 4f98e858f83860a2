import { change, shownTurn, state } from "./store.js";
import { send } from "./actions.js";

const LONGEST_HISTORY = 400;
const LEAST_VISITS = 10; // of a move whose win rate is drawn: below that it jumps about

export const OPPONENT = "opponent";

let asked = {};

/** The part of the state without any analysis, for another game or connection. */
export function forgotten() {
  asked = {};
  return { analyses: {}, trees: {}, opinions: {} };
}

/** What the page should be analysing now, by slot. Nothing where the opponent thinks and lets us look on. */
function wanted({ tab, game, joined, analysing, comparing, settings }) {
  if (!game || !joined) return {};
  const common = { game: game.game, turn: shownTurn(state), ...(settings.visits ? { visits: settings.visits } : {}) };
  if (tab === "compare") {
    return comparing ? { 0: { ...common, player: settings.compare[0] }, 1: { ...common, player: settings.compare[1] } } : {};
  }
  const watching = game.thinking && common.turn === game.moves.length;
  return analysing && tab === "play" && !watching ? { 0: { ...common, player: settings.analyst } } : {};
}

/** Starts and stops analyses until what runs is what is wanted. */
export function reconcile() {
  const wishes = wanted(state);
  for (const slot of [0, 1]) {
    const [wish, now] = [JSON.stringify(wishes[slot]), asked[slot]];
    if (wish === now) continue;
    asked = { ...asked, [slot]: wish };
    if (wish) {
      clear(slot);
      send({ type: "analyse", slot, ...wishes[slot] });
    } else {
      send({ type: "stop", slot });
    }
  }
}

export function again(slot) {
  asked = { ...asked, [slot]: undefined };
  reconcile();
}

function clear(slot) {
  change(({ analyses, trees }) => ({
    analyses: { ...analyses, [slot]: undefined },
    trees: Object.fromEntries(Object.entries(trees).filter(([key]) => !key.startsWith(`${slot} `))),
  }));
}

const sameSearch = (one, other) =>
  one && one.game === other.game && one.turn === other.turn && one.player === other.player;

export function received(message) {
  const wish = asked[message.slot] && JSON.parse(asked[message.slot]);
  if (wish && !sameSearch(wish, message)) return;
  const before = state.analyses[message.slot];
  const history = sameSearch(before, message) ? before.history : [];
  const earlier = sameSearch(before, message) ? before.reply : null;
  const reply = message.reply?.moveInfos ? message.reply : earlier;
  change(({ analyses, opinions }) => ({
    analyses: { ...analyses, [message.slot]: { ...message, reply, history: lengthened(history, reply) } },
    opinions: reply?.rootInfo.visits ? { ...opinions, [message.turn]: reply.rootInfo.winrate } : opinions,
  }));
}

/** The analysis of the turn looked at: our own, or that of the opponent who thinks about it. */
export const currentAnalysis = (now) =>
  [now.analyses[0], now.analyses[OPPONENT]].find(
    (analysis) =>
      analysis?.game === now.game?.game &&
      analysis?.turn === shownTurn(now) &&
      (analysis.slot === OPPONENT || analysis.player === now.settings.analyst),
  ) ?? null;

/** The reports so far as points of the convergence chart; thinned evenly when there are many. */
function lengthened(history, reply) {
  const visits = reply?.rootInfo?.visits ?? 0;
  if (!visits || visits <= (history.at(-1)?.visits ?? 0)) return history;
  const moves = Object.fromEntries(
    reply.moveInfos.filter((info) => info.visits >= LEAST_VISITS).map((info) => [info.move, [info.winrate, info.visits / visits]]),
  );
  const longer = [...history, { visits, moves }];
  return longer.length > LONGEST_HISTORY ? longer.filter((_, i) => i % 2 === 1) : longer;
}
