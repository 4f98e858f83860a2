import { useEffect, useRef } from "preact/hooks";
import { change } from "../state/store.js";

/** A modal window; Escape, the button or a click beside it closes it. */
export function Dialogue({ title, children, testid }) {
  const dialogue = useRef(null);
  useEffect(() => dialogue.current.showModal(), []);
  const close = () => change({ dialogue: null });
  return (
    <dialog
      ref={dialogue}
      data-testid={testid}
      aria-labelledby={`${testid}-title`}
      onClose={close}
      onPointerDown={(event) => event.target === dialogue.current && close()}
    >
      <div class="dialogue">
        <header class="dialogue-header">
          <h2 id={`${testid}-title`}>{title}</h2>
          <button class="icon-button" aria-label="Close" onClick={close}>✕</button>
        </header>
        {children}
      </div>
    </dialog>
  );
}
