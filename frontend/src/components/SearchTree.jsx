import { useState } from "preact/hooks";
import { EXPLANATIONS } from "../lib/explanations.jsx";
import { compact, fixed, percent, seenBy } from "../lib/format.js";
import { send, treeKey } from "../state/actions.js";
import { useStore } from "../state/store.js";
import { Icon } from "./Icon.jsx";

const DEEPEST_INDENT = 12;

/** The search tree, opened move by move; each opening asks the server for that node. */
export function SearchTree({ slot = 0, colour, onPath, available }) {
  const [open, setOpen] = useState(() => new Set());
  const fetch = (path) => send({ type: "tree", slot, path });
  const toggle = (path) => {
    const key = path.join(" ");
    const next = new Set(open);
    if (!next.delete(key)) {
      next.add(key);
      fetch(path);
    }
    setOpen(next);
  };
  const refresh = () => [...open].forEach((key) => fetch(key ? key.split(" ") : []));
  const onToggle = (event) => event.currentTarget.open !== open.has("") && toggle([]);
  return (
    <details class="fold" data-testid="tree" onToggle={onToggle}>
      <summary>Search tree</summary>
      <div class="fold-body">
        <div class="tree-head">
          <p class="explanation">{EXPLANATIONS.tree}</p>
          <button class="icon-button" data-testid="tree-refresh" aria-label="Read the tree again" title="Read the tree again" disabled={!available} onClick={refresh}>
            <Icon name="refresh" />
          </button>
        </div>
        <div class="tree-row tree-columns" aria-hidden="true">
          <span>Move</span><span>N</span><span>Q</span><span>Q̃</span><span>β</span>
        </div>
        <div class="tree" role="tree" aria-label="Search tree" onPointerLeave={() => onPath(null)}>
          <Branches slot={slot} path={[]} open={open} toggle={toggle} colour={colour} onPath={onPath} />
        </div>
      </div>
    </details>
  );
}

function Branches({ slot, path, open, toggle, colour, onPath }) {
  const node = useStore((state) => state.trees[treeKey({ slot, path })]);
  if (!node) return <p class="hint">{path.length ? "…" : "Nothing has been searched here yet."}</p>;
  return node.children.map((child) => {
    const way = [...path, child.move];
    const opened = open.has(way.join(" "));
    return (
      <div key={child.move} role="treeitem" aria-expanded={child.children ? opened : undefined} aria-level={way.length}>
        <button
          class="tree-row plain"
          data-testid={`tree-${way.join("-")}`}
          style={{ "--depth": Math.min(way.length - 1, DEEPEST_INDENT) }}
          disabled={!child.children}
          onClick={() => toggle(way)}
          onPointerEnter={() => onPath(way)}
          onFocus={() => onPath(way)}
          onBlur={() => onPath(null)}
        >
          <span class="tree-move"><span class={opened ? "turned" : ""}>{child.children ? <Icon name="open" /> : null}</span>{child.move}</span>
          <span>{compact(child.visits)}</span>
          <span>{percent(seenBy(child.winrate, colour), 0)}</span>
          <span>{percent(seenBy(child.amafValue, colour), 0)}</span>
          <span>{fixed(child.beta)}</span>
        </button>
        {opened && (
          <div role="group">
            <Branches slot={slot} path={way} open={open} toggle={toggle} colour={colour} onPath={onPath} />
          </div>
        )}
      </div>
    );
  });
}
