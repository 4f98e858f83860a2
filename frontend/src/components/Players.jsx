import { useMemo } from "preact/hooks";
import { positionAt } from "../lib/replay.js";
import { colourName } from "../lib/vertex.js";
import { shownTurn, useStore } from "../state/store.js";
import { Clock } from "./Clock.jsx";

/** Who plays, who is to move, prisoners and clocks. */
export function Players() {
  const game = useStore((state) => state.game);
  const turn = useStore(shownTurn);
  const position = useMemo(() => game && positionAt(game, turn), [game, turn]);
  if (!game) return null;
  const atEnd = turn === game.moves.length;
  const captures = atEnd ? game.captures : position.captures;
  const score = atEnd && game.phase !== "play" ? game.score : null;
  return (
    <section class="players" aria-label="Players">
      {["B", "W"].map((colour) => {
        const player = colour === "B" ? game.black : game.white;
        const active = game.phase === "play" && position.toPlay === colour;
        return (
          <div class={`player ${active ? "active" : ""}`} key={colour} data-testid={`player-${colour}`}>
            <span class={`stone stone-${colour}`} aria-hidden="true" />
            <span class="player-name" title={player.player}>
              <span class="visually-hidden">{colourName(colour)}: </span>
              {nameOf(player, colour, game)}
            </span>
            <span class="captures" data-testid={`captures-${colour}`}>
              {score ? `${score[colour]} points` : `${captures[colour]} taken`}
            </span>
            {game.clock && <Clock colour={colour} />}
          </div>
        );
      })}
    </section>
  );
}

function nameOf({ player, name }, colour, game) {
  if (player !== "person") return /^\d+[kd]$/.test(name) ? `Montego, ${name}` : name;
  if (name && !/^(you|person)$/i.test(name)) return name;
  const other = colour === "B" ? game.white : game.black;
  return other.player === "person" ? colourName(colour) : "You";
}
