import { useEffect, useState } from "preact/hooks";
import { marked } from "../lib/markup.jsx";

const anchor = (title) => title.toLowerCase().replace(/[^a-z0-9]+/g, "-");

/** The lab's tables and figures. */
export function Results() {
  const [sections, setSections] = useState(null);
  const [error, setError] = useState("");
  useEffect(() => {
    fetch("results.json")
      .then((answer) => (answer.ok ? answer.json() : Promise.reject(new Error(`the server answers ${answer.status}`))))
      .then((results) => setSections(results.sections))
      .catch((problem) => setError(problem.message));
  }, []);
  if (error) return <p class="card" role="alert">The results could not be read: {error}.</p>;
  if (!sections) return <p class="hint">Reading the results …</p>;
  if (!sections.length) return <p class="hint" data-testid="results">There are no results here yet: montego lab run makes them.</p>;
  const go = (title) => document.getElementById(anchor(title)).scrollIntoView();
  return (
    <>
      <nav class="contents" aria-label="Contents">
        <ul>
          {sections.map(({ title }) => (
            <li key={title}><button class="plain" onClick={() => go(title)}>{marked(title)}</button></li>
          ))}
        </ul>
      </nav>
      <article class="results" data-testid="results">
        {sections.map(({ title, blocks }) => (
          <section key={title} class="card" id={anchor(title)}>
            <h2>{marked(title)}</h2>
            {blocks.map((block, i) => <Block key={i} label={`${title}, part ${i + 1}`} {...block} />)}
          </section>
        ))}
      </article>
    </>
  );
}

function Block({ label, kind, text, head, align = [], rows, src, alt }) {
  if (kind === "figure") return <figure><img src={src.replace(/^\//, "")} alt={alt} loading="lazy" /></figure>;
  if (kind === "table") {
    return (
      <div class="table-box" role="region" aria-label={label} tabIndex={0}>
        <table>
          <thead>
            <tr>
              {head.map((cell, i) => (cell ? <th key={i} scope="col" style={{ textAlign: align[i] }}>{marked(cell)}</th> : <td key={i} />))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, i) => (
              <tr key={i}>{row.map((cell, j) => <td key={j} style={{ textAlign: align[j] }}>{marked(cell)}</td>)}</tr>
            ))}
          </tbody>
        </table>
      </div>
    );
  }
  return <p>{marked(text)}</p>;
}
