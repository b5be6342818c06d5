import { formatCount } from '../../src/report/format-number.ts';
import type { HtmlDrift, HtmlForecast, HtmlScenario } from '../../src/report/html-model.ts';
import { Badge } from './rate.tsx';

const VERDICTS = {
  pass: { sign: '✓', word: 'no regression', role: 'good' },
  fail: { sign: '✗', word: 'worse than the baseline', role: 'bad' },
  insufficient: { sign: '!', word: 'undecided', role: 'warn' },
} as const;

const WORDS: Readonly<Record<string, string>> = {
  DOWN: 'regressed',
  open: 'undecided',
  TOKENS: 'more tokens',
  other: 'other verdicts',
  up: 'improved',
  tokens: 'fewer tokens',
};

interface DriftProps {
  readonly drift: HtmlDrift;
  readonly scenarios: readonly HtmlScenario[];
}

/** How the run compares with its baseline: what changed, worst first. */
export function Drift({ drift, scenarios }: DriftProps) {
  const { verdict, headline, rows, moreRows, added, vanished, notes, overall } = drift;
  return (
    <section class="card" aria-labelledby="drift-title">
      <h2 id="drift-title">Drift</h2>
      <p>
        <Badge mark={VERDICTS[verdict]} /> {headline.join(' · ')}
      </p>
      {notes.length > 0 && (
        <ul>
          {notes.map((note, place) => (
            <li key={place}>{note}</li>
          ))}
        </ul>
      )}
      {rows.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <section class="scroll" tabIndex={0} aria-label="Scenarios that changed">
          <table class="small">
            <thead>
              <tr>
                <th scope="col">Scenario</th>
                <th scope="col">Change</th>
                <th scope="col">From and to</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(([sign, word, role, name, parts], place) => (
                <tr key={place}>
                  <th scope="row">
                    <Name name={name} scenarios={scenarios} />
                  </th>
                  <td>
                    <Badge
                      mark={{
                        sign,
                        word: WORDS[word] ?? word,
                        role: role === 'good' || role === 'bad' ? role : 'warn',
                      }}
                    />
                  </td>
                  <td>
                    {parts[0]} <span class="muted">{parts.slice(1).join(' · ')}</span>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {moreRows > 0 && <p class="muted">{formatCount(moreRows)} more; the JSON report has all.</p>}
      {added.length > 0 && <p>New: {added.join(', ')}</p>}
      {vanished.length > 0 && <p>Gone: {vanished.join(', ')}</p>}
      {overall.map((sentence, place) => (
        <p key={place} class="muted">
          {sentence}
        </p>
      ))}
    </section>
  );
}

/** Linked where the name is that of one scenario. */
function Name({ name, scenarios }: { readonly name: string; readonly scenarios: readonly HtmlScenario[] }) {
  const place = scenarios.findIndex((scenario) => scenario.name === name);
  const isOnly = place !== -1 && !scenarios.some((scenario, other) => other > place && scenario.name === name);
  return isOnly ? <a href={`#/scenario/${place}`}>{name}</a> : <span>{name}</span>;
}

/** What it costs to go on. */
export function Forecast({ forecast: { headline, rows } }: { readonly forecast: HtmlForecast }) {
  return (
    <section class="card" aria-labelledby="forecast-title">
      <h2 id="forecast-title">Forecast</h2>
      <p>{headline}</p>
      {rows.map(({ facts, payments }, place) => (
        <div key={place}>
          <p class="number">{facts.join(' · ')}</p>
          {payments.length > 0 && (
            <ul>
              {payments.map((payment, each) => (
                <li key={each} class="number">
                  {payment}
                </li>
              ))}
            </ul>
          )}
        </div>
      ))}
    </section>
  );
}
