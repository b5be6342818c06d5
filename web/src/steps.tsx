import { formatCount, plural } from '../../src/text/format-number.ts';
import type { HtmlStep } from '../../src/report/html/html-model.ts';

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

interface ChangeGroup {
  readonly kind: 'changes';
  readonly label: string;
  readonly changes: Extract<HtmlStep, { readonly length: 6 }>[];
}

type Group = ChangeGroup | { readonly kind: 'row'; readonly step: HtmlStep };

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
              {groupsOf(rows).map((group, place) =>
                group.kind === 'changes' ? <Changes key={place} {...group} /> : <Row key={place} step={group.step} />,
              )}
            </dl>
          </li>
        ))}
      </ol>
      {moreSteps > 0 && <p class="muted">{plural(moreSteps, 'line')} more; the replay command shows all.</p>}
    </details>
  );
}

function Row({ step: [, label, text, role] }: { readonly step: HtmlStep }) {
  return (
    <div class={role}>
      <dt>
        {role !== '' && <span aria-hidden="true">{role === 'bad' ? '✗ ' : '! '}</span>}
        {label}
      </dt>
      <dd class="said">
        <Folded text={text} />
      </dd>
    </div>
  );
}

/** Values that changed, each before and after beside each other. */
function Changes({ label, changes }: Omit<ChangeGroup, 'kind'>) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <table class="changes">
          <thead>
            <tr>
              <th scope="col">place</th>
              <th scope="col">before</th>
              <th scope="col">after</th>
            </tr>
          </thead>
          <tbody>
            {changes.map(([, , at, , before, after], row) => (
              <tr key={row}>
                <th scope="row">{at}</th>
                <td>
                  <Folded text={before} />
                </td>
                <td>
                  <Folded text={after} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </dd>
    </div>
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

function groupsOf(rows: readonly HtmlStep[]): readonly Group[] {
  const groups: Group[] = [];
  for (const step of rows) {
    const last = groups.at(-1);
    if (step.length !== 6) groups.push({ kind: 'row', step });
    else if (last?.kind === 'changes' && last.label === step[1]) last.changes.push(step);
    else groups.push({ kind: 'changes', label: step[1], changes: [step] });
  }
  return groups;
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
