import { compact, percent, seenBy, signed } from "./format.js";
import { CANDIDATES, DIVERGING, SEQUENTIAL, step, stepAround } from "./scales.js";
import { colourName, emptyMap, toPoint } from "./vertex.js";

const tried = (infos) => infos.filter((info) => info.visits > 0);
const has = (field) => (info) => info[field] != null;

/** A map over moves: a strength 1…9 and a text for each point, and what the ends of the scale mean. */
function overMoves(infos, size, strength, text) {
  const map = emptyMap(size);
  for (const info of infos) {
    const point = toPoint(info.move, size);
    if (point) map[point[1]][point[0]] = { strength: strength(info), text: text(info) };
  }
  return map;
}

function visits({ reply, size }) {
  const infos = tried(reply.moveInfos);
  const most = Math.max(1, ...infos.map((info) => info.visits));
  return {
    palette: SEQUENTIAL,
    map: overMoves(infos, size, (info) => step(Math.sqrt(info.visits / most)), (info) => compact(info.visits)),
    legend: ["0", `${compact(Math.round(most / 4))}`, `${compact(most)} visits`],
  };
}

const USUAL = 0.85;

const quantile = (values, share) => values.sort((a, b) => a - b)[Math.floor(share * (values.length - 1))] ?? 0;

/** Win rates of one colour: blue above and orange below a middle, that of the moves unless another is given. */
const rates = (field, { choose = (infos) => infos, middle } = {}) => ({ reply, size, colour }) => {
  const infos = choose(reply.moveInfos).filter(has(field));
  const value = (info) => seenBy(info[field], colour);
  const centre = middle ?? quantile(infos.map(value), 0.5);
  const reach = Math.max(0.03, quantile(infos.map((info) => Math.abs(value(info) - centre)), USUAL));
  return {
    palette: DIVERGING,
    map: overMoves(infos, size, (info) => stepAround(value(info), centre, reach), (info) => (100 * value(info)).toFixed(0)),
    legend: [
      `≤ ${percent(Math.max(0, centre - reach), 0)}`,
      `${percent(centre, 0)}: ${middle == null ? "the middle move" : "even"}`,
      `≥ ${percent(Math.min(1, centre + reach), 0)} for ${colourName(colour)}`,
    ],
  };
};

/** 0.25 → ".25", and the ends of the scale without digits that say nothing. */
const share = (value) => value.toFixed(2).replace(/\.00$/, "").replace(/^0\./, ".");

function beta({ reply, size }) {
  const infos = reply.moveInfos.filter(has("beta"));
  return {
    palette: SEQUENTIAL,
    map: overMoves(infos, size, (info) => step(info.beta), (info) => share(info.beta)),
    legend: ["0: own playouts", "0.5", "1: RAVE alone"],
  };
}

function prior(context) {
  const { reply, size } = context;
  if (reply.moveInfos.some(has("heuristic"))) return rates("heuristic", { middle: 0.5 })(context);
  const infos = reply.moveInfos.filter(has("prior"));
  const most = Math.max(1e-9, ...infos.map((info) => info.prior));
  return {
    palette: SEQUENTIAL,
    map: overMoves(infos, size, (info) => step(info.prior / most), (info) => (100 * info.prior).toFixed(0)),
    legend: ["0 %", percent(most / 2, 0), percent(most, 0)],
  };
}

function ownership({ reply, size }) {
  const map = emptyMap(size);
  (reply.ownership ?? []).forEach((owner, i) => {
    const level = stepAround(owner, 0, 1);
    const text = Math.abs(owner) < 0.95 ? signed(owner, 1).replace("0.", ".").replace(".0", "0") : "";
    map[Math.floor(i / size)][i % size] = { strength: level, text };
  });
  return { palette: DIVERGING, map, legend: ["−1 White's", "0 open", "+1 Black's"] };
}

const SHOWN_MOVES = 8;

/** The leading moves, those with too few simulations to mean anything left out. */
export function candidates(reply) {
  const infos = tried(reply.moveInfos);
  const most = Math.max(1, ...infos.map((info) => info.visits));
  return infos
    .filter((info) => info.order === 0 || info.visits >= Math.max(2, most / 200))
    .sort((a, b) => a.order - b.order)
    .slice(0, SHOWN_MOVES);
}

function moves({ reply, size, colour, narrow }) {
  const infos = candidates(reply);
  const most = Math.max(1, ...infos.map((info) => info.visits));
  const rate = (info) => (100 * seenBy(info.winrate, colour)).toFixed(0);
  return {
    palette: CANDIDATES,
    round: true,
    map: overMoves(
      infos,
      size,
      (info) => step(Math.sqrt(info.visits / most)),
      (info) => (narrow ? rate(info) : `${rate(info)}\n${compact(info.visits)}`),
    ),
    legend: ["few simulations", "", "most simulations"],
  };
}

/** Every heat map: its name on the button, and how to draw it. */
export const HEATS = [
  { id: "none", label: "Moves", draw: moves },
  { id: "visits", label: "Visits", draw: visits },
  { id: "q", label: "Q", draw: rates("value", { choose: tried }) },
  { id: "amaf", label: "AMAF", draw: rates("amafValue") },
  { id: "beta", label: "β", draw: beta },
  { id: "mixed", label: "Q*", draw: rates("mixed") },
  { id: "prior", label: "Prior", draw: prior },
  { id: "ownership", label: "Owner", draw: ownership },
];

export function heatOf(id, context) {
  const heat = HEATS.find((one) => one.id === id)?.draw?.(context);
  return heat && heat.map.some((row) => row.some(Boolean)) ? heat : null;
}
