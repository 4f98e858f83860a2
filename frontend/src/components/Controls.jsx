import { useEffect, useRef, useState } from "preact/hooks";
import { accept, load, play, resign, resume, save, undo } from "../state/actions.js";
import { change, shownTurn, useStore } from "../state/store.js";

export function Controls() {
  const game = useStore((state) => state.game);
  const turn = useStore(shownTurn);
  const playing = game?.phase === "play";
  const person = playing && (game.toPlay === "B" ? game.black : game.white).player === "person";
  const people = game && [game.black, game.white].some(({ player }) => player === "person");
  const atEnd = game && turn === game.moves.length;
  return (
    <div class="controls">
      <div class="button-row">
        {game?.phase === "scoring" ? (
          <>
            <button class="primary" data-testid="accept" onClick={accept}>Accept the count</button>
            <button data-testid="resume" onClick={resume}>Play on</button>
          </>
        ) : (
          <>
            <button data-testid="pass" disabled={!person || !atEnd} onClick={() => play("pass")}>Pass</button>
            <Resign disabled={!playing || !people} />
          </>
        )}
        {game && !atEnd && people ? (
          <button data-testid="undo-to" onClick={() => undo(turn)}>Take back to here</button>
        ) : (
          <button data-testid="undo" disabled={!people || !game.moves.length} onClick={() => undo()}>Undo</button>
        )}
      </div>
      <FileButtons />
    </div>
  );
}

export function FileButtons({ withNew = true }) {
  const game = useStore((state) => state.game);
  const input = useRef(null);
  return (
    <div class="button-row">
      {withNew && (
        <button class={game?.phase === "over" ? "primary" : ""} data-testid="new-game" onClick={() => change({ dialogue: "new" })}>
          New game
        </button>
      )}
      <button data-testid="load" onClick={() => input.current.click()}>Load SGF</button>
      <button data-testid="save" disabled={!game} onClick={save}>Save SGF</button>
      <input
        ref={input}
        type="file"
        hidden
        accept=".sgf,application/x-go-sgf,text/plain"
        data-testid="file"
        onChange={(event) => {
          load(event.target.files[0]);
          event.target.value = "";
        }}
      />
    </div>
  );
}

/** Asks once: the first click changes the button, a second within a few seconds resigns. */
function Resign({ disabled }) {
  const [sure, setSure] = useState(false);
  useEffect(() => {
    if (!sure) return undefined;
    const timer = setTimeout(() => setSure(false), 4000);
    return () => clearTimeout(timer);
  }, [sure]);
  const onClick = () => {
    if (sure) resign();
    setSure(!sure);
  };
  return (
    <button class={sure ? "danger" : ""} data-testid="resign" disabled={disabled} onClick={onClick} onBlur={() => setSure(false)}>
      {sure ? "Really?" : "Resign"}
    </button>
  );
}
