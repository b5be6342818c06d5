import { plural } from '../../src/report/format-number.ts';
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
  return (
    <details class="steps">
      <summary>Step by step</summary>
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
                  <dd class="said">{text}</dd>
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
