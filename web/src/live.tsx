import { plural } from '../../src/report/format-number.ts';
import type { HtmlLive } from '../../src/report/html-model.ts';

/** What the calls to real models came to. */
export function Live({ live: { headline, notes, columns, rows, moreRows } }: { readonly live: HtmlLive }) {
  return (
    <section class="card" aria-labelledby="live-title">
      <h2 id="live-title">Live models</h2>
      <p class="number">{headline.join(' · ')}</p>
      <ul>
        {notes.map((note, place) => (
          <li key={place}>{note}</li>
        ))}
      </ul>
      {rows.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <section class="scroll" tabIndex={0} aria-label="Calls by scenario and model">
          <table class="small">
            <thead>
              <tr>
                <th scope="col">Scenario</th>
                <th scope="col">Model</th>
                {columns.map((column) => (
                  <th key={column} scope="col" class="number">
                    {column}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(([scenario, model, numbers], place) => (
                <tr key={place}>
                  <th scope="row">{scenario}</th>
                  <td>{model}</td>
                  {numbers.map((number, column) => (
                    <td key={column} class="number">
                      {number}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {moreRows > 0 && <p class="muted">{plural(moreRows, 'row')} more; the JSON report has all.</p>}
    </section>
  );
}
