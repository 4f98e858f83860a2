import { useEffect } from "preact/hooks";
import { DropZone } from "./components/DropZone.jsx";
import { Header } from "./components/Header.jsx";
import { Help } from "./components/Help.jsx";
import { NewGame } from "./components/NewGame.jsx";
import { useKeys } from "./components/useKeys.js";
import { openGame } from "./state/actions.js";
import { readHash } from "./state/route.js";
import { change, state, useStore } from "./state/store.js";
import { Compare } from "./views/Compare.jsx";
import { Play } from "./views/Play.jsx";
import { Results } from "./views/Results.jsx";
import { Review } from "./views/Review.jsx";

const VIEWS = { play: Play, compare: Compare, review: Review, results: Results };

function followHash() {
  const { tab, game } = readHash();
  if (tab !== state.tab) change({ tab });
  if (game && game !== state.game?.game && state.connection === "open") openGame(game);
}

export function App() {
  const tab = useStore((now) => now.tab);
  const dialogue = useStore((now) => now.dialogue);
  const View = VIEWS[tab];
  useKeys();
  useEffect(() => {
    followHash();
    addEventListener("hashchange", followHash);
    return () => removeEventListener("hashchange", followHash);
  }, []);
  return (
    <>
      <Header />
      <main class={`view view-${tab}`} data-testid={`view-${tab}`}>
        <h1 class="visually-hidden">Montego: {tab}</h1>
        <View />
      </main>
      {dialogue === "new" && <NewGame />}
      {dialogue === "help" && <Help />}
      <DropZone />
    </>
  );
}
