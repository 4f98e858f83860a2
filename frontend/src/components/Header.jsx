import { set } from "../state/actions.js";
import { TABS, hashFor } from "../state/route.js";
import { resolvedTheme, switchTheme } from "../state/theme.js";
import { change, useStore } from "../state/store.js";
import { Icon } from "./Icon.jsx";

export function Header() {
  const tab = useStore((state) => state.tab);
  const game = useStore((state) => state.game?.game);
  const connection = useStore((state) => state.connection);
  const { theme, sound } = useStore((state) => state.settings);
  const version = useStore((state) => state.welcome?.version);
  const dark = resolvedTheme(theme) === "dark";
  return (
    <header class="header">
      <a class="brand" href={hashFor("play", game)} title={version ? `Montego ${version}` : "Montego"}>
        <Icon name="stones" /> <span class="brand-name">Montego</span>
      </a>
      <nav class="tabs" aria-label="Views">
        {TABS.map((name) => (
          <a
            key={name}
            data-testid={`tab-${name}`}
            aria-current={name === tab ? "page" : undefined}
            href={hashFor(name, game)}
          >
            {name[0].toUpperCase() + name.slice(1)}
          </a>
        ))}
      </nav>
      <div class="header-end">
        <span class="connection" data-testid="connection" role="status" data-state={connection}>
          {connection === "reconnecting" ? "Reconnecting …" : ""}
        </span>
        <button class="icon-button" data-testid="sound" aria-pressed={sound} aria-label="Sound of stones" title="Sound" onClick={() => set({ sound: !sound })}>
          <Icon name={sound ? "sound" : "mute"} />
        </button>
        <button class="icon-button" data-testid="theme" aria-pressed={dark} aria-label="Dark colours" title="Light or dark" onClick={switchTheme}>
          <Icon name={dark ? "moon" : "sun"} />
        </button>
        <button class="icon-button" data-testid="help" aria-label="Help: keys" title="Keys (?)" onClick={() => change({ dialogue: "help" })}>
          <Icon name="help" />
        </button>
      </div>
    </header>
  );
}
