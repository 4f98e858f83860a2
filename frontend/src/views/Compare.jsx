import { useMemo } from "preact/hooks";
import { PresetSelect } from "../components/AnalystPicker.jsx";
import { CandidateTable } from "../components/CandidateTable.jsx";
import { FileButtons } from "../components/Controls.jsx";
import { GameBoard } from "../components/GameBoard.jsx";
import { HeatPicker } from "../components/HeatPicker.jsx";
import { Navigator } from "../components/Navigator.jsx";
import { Status } from "../components/Status.jsx";
import { Summary } from "../components/Analysis.jsx";
import { useLine } from "../components/useLine.js";
import { usePerspective } from "../components/usePerspective.js";
import { heatOf } from "../lib/heat.js";
import { colourToPlay } from "../lib/replay.js";
import { newGame, notify, set } from "../state/actions.js";
import { goTo, hashFor } from "../state/route.js";
import { change, shownTurn, useStore } from "../state/store.js";

/** Two players think about the same position, side by side. */
export function Compare() {
  const game = useStore((state) => state.game);
  const comparing = useStore((state) => state.comparing);
  const players = useStore((state) => state.settings.compare);
  const watch = async () => {
    const { size, komi, rules } = game ?? { size: 9, komi: 7.5, rules: "chinese" };
    try {
      const made = await newGame({ size, komi, rules, handicap: 0, black: players[0], white: players[1], clock: null });
      goTo(hashFor("play", made.game));
    } catch (error) {
      notify(error.message);
    }
  };
  return (
    <>
      <section class="card compare-bar" aria-label="Comparison">
        <div class="compare-actions">
          <div class="button-row">
            <button class={comparing ? "" : "primary"} data-testid="compare" aria-pressed={comparing} disabled={!game} onClick={() => change({ comparing: !comparing })}>
              {comparing ? "Stop" : "Compare"}
            </button>
            <button data-testid="watch" onClick={watch}>Let them play</button>
          </div>
          <FileButtons />
        </div>
        <div class="compare-where"><Status />{game && <Navigator />}</div>
        <SharedHeat game={game} />
      </section>
      <div class="compare-boards">
        {[0, 1].map((slot) => <Side key={slot} slot={slot} players={players} comparing={comparing} />)}
      </div>
    </>
  );
}

/** The analysis in a slot, if it is that of the player shown there. */
function useReply(slot, game, turn) {
  const analysis = useStore((state) => state.analyses[slot]);
  const player = useStore((state) => state.settings.compare[slot]);
  return analysis?.turn === turn && analysis.game === game?.game && analysis.player === player ? analysis : null;
}

function SharedHeat({ game }) {
  const turn = useStore(shownTurn);
  const heatId = useStore((state) => state.settings.heat);
  const reply = useReply(1, game, turn)?.reply;
  const colour = usePerspective(game ? colourToPlay(game, turn) : "B");
  const heat = useMemo(() => (reply ? heatOf(heatId, { reply, size: game.size, colour }) : null), [reply, heatId, colour]);
  return <HeatPicker heat={heat} />;
}

function Side({ slot, players, comparing }) {
  const game = useStore((state) => state.game);
  const turn = useStore(shownTurn);
  const analysis = useReply(slot, game, turn);
  const colour = usePerspective(game ? colourToPlay(game, turn) : "B");
  const { pinned, line, show } = useLine();
  const reply = analysis?.reply;
  const lineOf = (move) => show(move, move && reply?.moveInfos.find((info) => info.move === move)?.pv);
  const choose = (player) => set({ compare: players.map((one, i) => (i === slot ? player : one)) });
  return (
    <section class="card compare-side" aria-label={players[slot]} data-testid={`side-${slot}`}>
      <PresetSelect label={slot ? "Second player" : "First player"} testid={`compare-${slot}`} value={players[slot]} onChange={choose} />
      <GameBoard still analysis={analysis} line={line} onCandidate={reply ? lineOf : null} />
      {comparing && <Summary analysis={analysis} colour={colour} slot={slot} />}
      <CandidateTable reply={reply} colour={colour} onLine={lineOf} pinned={pinned} rows={5} testid={`candidates-${slot}`} />
    </section>
  );
}
