import type { HtmlReport } from '../../src/report/html/html-model.ts';
import { scenarioAddress } from './address.ts';
import { panelId, placeOf } from './panels.tsx';

interface ReasonsProps {
  readonly reasons: readonly string[];
  readonly report: HtmlReport;
}

/** Why the gate is as it is; the name that a reason begins with leads to what it speaks of. */
export function Reasons({ reasons, report }: ReasonsProps) {
  return (
    <ul>
      {reasons.map((reason, place) => (
        <li key={place}>
          <Reason reason={reason} subject={subjectOf(reason, report)} />
        </li>
      ))}
    </ul>
  );
}

/** What a reason speaks of: the words it begins with, and where the page shows it. */
interface Subject {
  readonly words: string;
  readonly address: string;
}

function Reason({ reason, subject }: { readonly reason: string; readonly subject: Subject | null }) {
  if (subject === null) return <>{reason}</>;
  const { words, address } = subject;
  return (
    <>
      <a href={address}>{words}</a>
      {reason.slice(words.length)}
    </>
  );
}

/** Null: the reason names nothing that the page shows, or several scenarios have the name. */
function subjectOf(reason: string, { scenarios, sections, panels }: HtmlReport): Subject | null {
  const section = sections.findIndex(({ kind, name }) => reason.startsWith(`${kind} ${name} `));
  const { kind, name } = sections[section] ?? { kind: '', name: '' };
  if (section !== -1) return { words: `${kind} ${name}`, address: `#section-${section}` };
  if (reason.startsWith('The suite: ') && panels.some(({ title }) => title === 'Drift')) {
    return { words: 'The suite', address: `#${panelId('Drift')}` };
  }
  // Names may hold a colon themselves, so that of several that fit the longest is meant.
  const words = scenarios.reduce(
    (longest, one) => (one.name.length > longest.length && reason.startsWith(`${one.name}: `) ? one.name : longest),
    '',
  );
  const place = placeOf(words, scenarios);
  return place === null ? null : { words, address: scenarioAddress(place) };
}
