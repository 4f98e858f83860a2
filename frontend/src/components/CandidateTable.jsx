import { compact, fixed, percent, seenBy, signed } from "../lib/format.js";
import { candidates } from "../lib/heat.js";
import { colourName } from "../lib/vertex.js";

const ROWS = 8;

/** The leading moves in numbers; always the same height. Hovering, focusing or tapping a row shows its line. */
export function CandidateTable({ reply, colour, onLine, pinned, rows = ROWS, testid = "candidates" }) {
  const infos = reply ? candidates(reply).slice(0, rows) : [];
  const total = Math.max(1, reply?.rootInfo?.visits ?? 1);
  return (
    <table class="candidates" data-testid={testid} onPointerLeave={() => onLine(null)}>
      <thead>
        <tr>
          <th scope="col">Move</th>
          <th scope="col" title={`Win rate of ${colourName(colour)}`}>{colourName(colour)} wins</th>
          <th scope="col">Visits</th>
          <th scope="col" class="share-column"><span class="visually-hidden">Share</span></th>
          <th scope="col" title="Points of lead, for Black">Lead</th>
          <th scope="col" title="How far RAVE is trusted">β</th>
        </tr>
      </thead>
      <tbody>
        {Array.from({ length: rows }, (_, i) => infos[i]).map((info, i) =>
          info ? (
            <tr
              key={i}
              class={`${info.order === 0 ? "best" : ""} ${pinned === info.move ? "pinned" : ""}`}
              onPointerEnter={(event) => event.pointerType !== "touch" && onLine(info.move)}
              onClick={(event) => onLine(event.pointerType === "touch" && pinned === info.move ? null : info.move)}
            >
              <th scope="row">
                <button
                  class="plain"
                  data-testid={`candidate-${i}`}
                  aria-label={`${info.move}: show its line`}
                  onFocus={(event) => event.target.matches(":focus-visible") && onLine(info.move)}
                  onBlur={() => onLine(null)}
                >
                  {info.move}
                </button>
              </th>
              <td>{percent(seenBy(info.winrate, colour))}</td>
              <td>{compact(info.visits)}</td>
              <td class="share-column"><span class="share" style={{ width: `${(100 * info.visits) / total}%` }} /></td>
              <td>{signed(info.scoreLead)}</td>
              <td>{fixed(info.beta)}</td>
            </tr>
          ) : (
            <tr key={i} aria-hidden="true"><td colSpan="6">&nbsp;</td></tr>
          ),
        )}
      </tbody>
    </table>
  );
}
