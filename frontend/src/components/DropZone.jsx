import { useEffect, useState } from "preact/hooks";
import { load } from "../state/actions.js";

const holdsFile = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");

/** Takes an SGF file dropped anywhere on the page. */
export function DropZone() {
  const [over, setOver] = useState(false);
  useEffect(() => {
    const events = {
      dragover: (event) => {
        if (!holdsFile(event)) return;
        event.preventDefault();
        setOver(true);
      },
      dragleave: (event) => event.relatedTarget || setOver(false),
      drop: (event) => {
        if (!holdsFile(event)) return;
        event.preventDefault();
        setOver(false);
        load(event.dataTransfer.files[0]);
      },
    };
    for (const [name, listener] of Object.entries(events)) addEventListener(name, listener);
    return () => {
      for (const [name, listener] of Object.entries(events)) removeEventListener(name, listener);
    };
  }, []);
  return over && <div class="drop-zone" data-testid="drop-zone">Drop the SGF file to load it</div>;
}
