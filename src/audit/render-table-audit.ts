import { formatCount, plural } from '../text/format-number.ts';
import { plainText } from '../report/plain-text.ts';
import { textPage } from '../report/text-page.ts';
import type { Role, TextStyle } from '../report/text/text-style.ts';
import { hangText, joinParts, wrapText } from '../report/text/wrap-text.ts';
import { padEnd, shorten, widest } from '../text/display-width.ts';
import type { RenderOptions } from '../types/render-options.ts';
import type { AuditedRow, RowHistograms, RowVerdict, TableAudit } from '../types/audit/table-audit.ts';

const VERDICTS: Readonly<Record<RowVerdict, { readonly word: string; readonly role: Role; readonly counted: string }>> =
  {
    unique: { word: 'possible', role: 'good', counted: 'possible in one way' },
    ambiguous: { word: 'ambiguous', role: 'warn', counted: 'possible in several ways' },
    impossible: { word: 'impossible', role: 'bad', counted: 'impossible' },
    incomplete: { word: 'incomplete', role: 'warn', counted: 'incomplete' },
    undecided: { word: 'undecided', role: 'warn', counted: 'undecided' },
  };

const INDENT = 12;
/** Rows of one group of twins that are named. */
const MOST_TWINS = 5;

/** What the rows of tables can be, for people. */
export function renderTableAudit(audit: TableAudit, options: Partial<RenderOptions> = {}): string {
  return textPage(options, (style) => [...tableLines(audit, style), '', ...closingLines(audit, style)]);
}

function tableLines(audit: TableAudit, style: TextStyle): readonly string[] {
  const designs = audit.rows.map(({ tasks, trials }) => `${tasks === null ? '?' : tasks.count} x ${trials.count}`);
  const designWidth = designs.reduce((width, text) => Math.max(width, text.length), 'tasks x trials'.length);
  const longest = widest(['row', ...audit.rows.map(labelOf)]);
  const nameWidth = Math.min(longest, style.columns - INDENT - designWidth - 2);
  const head = `${' '.repeat(INDENT)}${padEnd('row', nameWidth)}  tasks x trials`;
  const rows = audit.rows.flatMap((row, place) => {
    const { word, role } = VERDICTS[row.verdict];
    const name = padEnd(shorten(labelOf(row), nameWidth), nameWidth);
    const notes = notesOf(row).flatMap((note) => hangText(' '.repeat(INDENT), note, style.columns));
    return [
      `${style.paint(role, padEnd(word, INDENT))}${name}  ${designs[place] ?? ''}`,
      ...notes.map((line) => style.paint('dim', line)),
    ];
  });
  return [style.paint('dim', head), ...rows];
}

function labelOf({ name, domain, line }: AuditedRow): string {
  const label = [name, domain].filter((text) => text !== '').join(', ');
  return plainText(label === '' ? `line ${line}` : label);
}

function notesOf(row: AuditedRow): readonly string[] {
  switch (row.verdict) {
    case 'unique':
      return outcomeNotes(row);
    case 'ambiguous':
      return row.histograms === null ? [] : [severalWays(row.histograms), ...droppedZeros(row)];
    case 'impossible':
      return conflictNotes(row);
    case 'incomplete':
      return [
        `${listed(row.missing)} ${row.missing.length === 1 && row.missing[0] !== 'tasks' ? 'is' : 'are'} missing`,
      ];
    case 'undecided':
      return ['the search for histograms was given up'];
  }
}

function outcomeNotes({ histograms, outcome, tasks, trials }: AuditedRow): readonly string[] {
  if (outcome === null || tasks === null) return [];
  const { neverSolved, alwaysSolved, passed, passHatK } = outcome;
  const draws = formatCount(tasks.count * trials.count);
  return [
    `tasks with 0 to ${trials.count} successes: ${(histograms?.listed[0] ?? []).join(', ')}`,
    `${formatCount(passed)} of ${draws} trials passed; ${plural(alwaysSolved, 'task')} always solved, ${formatCount(neverSolved)} never`,
    joinParts(
      passHatK.map(({ k, value, error, interval }) => {
        const spread = error === null ? '' : ` (se ${error.toFixed(3)})`;
        const bounds = interval === null ? '' : ` [${interval.map((bound) => bound.toFixed(3)).join(', ')}]`;
        return `pass^${k} ${value.toFixed(3)}${spread}${bounds}`;
      }),
      ', ',
    ),
  ];
}

function severalWays({ count, isAll, ranges }: RowHistograms): string {
  if (ranges === null) return `at least ${formatCount(count)} histograms give these values`;
  const places = ranges.map(([low, high]) => (low === high ? String(low) : `${low}-${high}`)).join(', ');
  const ways = `${isAll ? '' : 'at least '}${formatCount(count)} histograms`;
  return `${ways}; tasks with 0 to ${ranges.length - 1} successes: ${places}`;
}

/** Zeros at the end may be missing where a value has fewer decimals than another of its row. */
function droppedZeros({ values }: AuditedRow): readonly string[] {
  const decimals = values.map(({ printed }) => (printed.split('.')[1] ?? '').replace(/\D.*$/, '').length);
  const most = Math.max(...decimals);
  const short = values[decimals.findIndex((count) => count < most)];
  if (short === undefined) return [];
  return [`if ${plainText(short.printed)} has lost zeros at its end, say so: --decimals ${most}`];
}

function conflictNotes({ conflict, values, missing, scale, file, line, tasks, trials }: AuditedRow): readonly string[] {
  const printed = plainText(values.map((value) => value.printed).join(', '));
  const gap = missing.length === 0 ? '' : `, whatever ${listed(missing)} ${missing.length === 1 ? 'is' : 'are'}`;
  const notes = [`no histogram gives ${printed}${gap} (${plainText(file)}:${line})`];
  for (const k of conflict?.unreachable ?? []) {
    const value = values.find((one) => one.k === k)?.printed ?? '';
    notes.push(
      `pass^${k} = ${plainText(value)} is no mean over ${formatCount(tasks?.count ?? 0)} tasks of ${plural(trials.count, 'trial')}`,
    );
  }
  const percent = scale === 'percent' ? 100 : 1;
  const suspects = (conflict?.suspects ?? []).map(({ k, fitting }) => {
    const fits = (fitting ?? []).map((value) => (percent * value).toFixed(percent === 1 ? 4 : 2));
    return fits.length === 0 ? `pass^${k}` : `pass^${k}, which would be ${listed(fits, 'or')}`;
  });
  if (suspects.length > 0) notes.push(`possible without ${suspects.join('; or without ')}`);
  return notes;
}

function closingLines({ rows, summary, twins }: TableAudit, style: TextStyle): readonly string[] {
  const counts = (Object.keys(VERDICTS) as readonly RowVerdict[]).flatMap((verdict) =>
    summary[verdict] === 0 ? [] : [`${formatCount(summary[verdict])} ${VERDICTS[verdict].counted}`],
  );
  const groups = twins.map((places) => {
    const names = places.slice(0, MOST_TWINS).flatMap((place) => {
      const row = rows[place];
      return row === undefined ? [] : [`${labelOf(row)} (${plainText(row.file)}:${row.line})`];
    });
    const more = places.length > MOST_TWINS ? [`${places.length - MOST_TWINS} more`] : [];
    return `twins, with the same values: ${listed([...names, ...more])}`;
  });
  const assumed = [
    ...new Set(
      rows.flatMap(({ tasks, domain }) =>
        tasks?.from === 'benchmark' ? [`${plainText(domain)} ${formatCount(tasks.count)}`] : [],
      ),
    ),
  ];
  const sentences = [
    `${plural(summary.rows, 'row')}: ${counts.join(', ')}`,
    ...groups,
    ...(assumed.length === 0 ? [] : [`tasks that the files do not say, as tau2-bench has them: ${assumed.join(', ')}`]),
    ...(summary.unique === 0
      ? []
      : ['se: standard error clustered by task; in brackets the 95 % interval, for tasks like these']),
    ...(rows.some(({ outcome }) => (outcome?.alwaysSolved ?? 0) > 0)
      ? ['tasks that are always solved may need no work: try an agent that does nothing on them']
      : []),
  ];
  return sentences.flatMap((sentence) => wrapText(sentence, style.columns));
}

function listed(words: readonly string[], joint = 'and'): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${joint} ${words.at(-1)}`;
}
