import { formatCount, plural } from '../../src/report/format-number.ts';
import type { HtmlStep } from '../../src/report/html-model.ts';

interface StepsProps {
  readonly trial: number;
  readonly steps: readonly HtmlStep[];
  readonly moreSteps: number;
}

interface Visit {
  readonly depth: number;
  readonly name: string;
  readonly rows: readonly HtmlStep[];
}

/** A trial step by step: each visit of a node with what it read, asked, got and gave. */
export function Steps({ trial, steps, moreSteps }: StepsProps) {
  if (steps.length === 0) return null;
  // Without visits of nodes there is a dialogue, which is all that there is to see.
  const isTold = steps.every(([, label]) => label !== '');
  return (
    <details class="steps" open={isTold}>
      <summary>{isTold ? 'What was said and called' : 'Step by step'}</summary>
      <ol aria-label={`Steps of trial ${trial}`}>
        {visitsOf(steps).map(({ depth, name, rows }, place) => (
          <li key={place} style={{ marginLeft: `${Math.min(depth, 6) * 1.2}rem` }}>
            {name !== '' && <strong>{name}</strong>}
            <dl>
              {rows.map(([, label, text, role], row) => (
                <div key={row} class={role}>
                  <dt>
                    {role !== '' && <span aria-hidden="true">{role === 'bad' ? '✗ ' : '! '}</span>}
                    {label}
                  </dt>
                  <dd class="said">
                    <Folded text={text} />
                  </dd>
                </div>
              ))}
            </dl>
          </li>
        ))}
      </ol>
      {moreSteps > 0 && <p class="muted">{plural(moreSteps, 'line')} more; the replay command shows all.</p>}
    </details>
  );
}

/** Longer texts show their beginning first. */
const FOLDED = { characters: 600, lines: 12, shown: 160 } as const;

function Folded({ text }: { readonly text: string }) {
  if (text.length <= FOLDED.characters && text.split('\n', FOLDED.lines + 1).length <= FOLDED.lines) return <>{text}</>;
  const start = text.slice(0, FOLDED.shown).replace(/\s+/g, ' ');
  return (
    <details class="folded">
      <summary>
        {start}… <span class="muted">({formatCount(text.length)} characters)</span>
      </summary>
      {text}
    </details>
  );
}

function visitsOf(steps: readonly HtmlStep[]): readonly Visit[] {
  const visits: { depth: number; name: string; rows: HtmlStep[] }[] = [];
  for (const step of steps) {
    const [depth, label, text] = step;
    if (label === '') visits.push({ depth, name: text, rows: [] });
    else {
      const last = visits.at(-1);
      // What happens after a child has ended belongs to the level above.
      if (last === undefined || last.depth !== depth) visits.push({ depth, name: '', rows: [step] });
      else last.rows.push(step);
    }
  }
  return visits;
}
