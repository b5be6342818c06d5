import { firstNames } from '../text/first-names.ts';
import { formatCount, plural } from '../text/format-number.ts';
import { formatRate } from '../text/format-rate.ts';
import { plainText } from '../report/plain-text.ts';
import { textPage } from '../report/text-page.ts';
import type { Role, TextStyle } from '../report/text/text-style.ts';
import { hangText } from '../report/text/wrap-text.ts';
import type { RenderOptions } from '../types/render-options.ts';
import type { AuditedTask, SetAudit, TrivialSubject } from '../types/audit/set-audit.ts';
import { padEnd } from '../text/display-width.ts';

const SUBJECTS: Readonly<Record<TrivialSubject, string>> = {
  null: 'says nothing',
  echo: 'says what it is asked',
  refusal: 'refuses',
  everything: 'says every known text',
};

const MARK = 10;
/** Tasks that are named one by one. */
const MOST_NAMED = 20;

/** What subjects that can do nothing make of a set of scenarios, for people. */
export function renderSetAudit(audit: SetAudit, options: Partial<RenderOptions> = {}): string {
  return textPage(options, (style) => [
    ...audit.trivial.map(({ subject, passed, tasks, rate, isTooMany }) =>
      row(rate === null ? 'undecided' : isTooMany ? 'too many' : 'ok', padEnd(SUBJECTS[subject], 22), {
        text: `passes ${formatCount(passed)} of ${plural(tasks, 'task')}${rate === null ? '' : ` (${formatRate(rate)}; allowed: ${formatRate(audit.bounds.maxTrivial)})`}`,
        style,
      }),
    ),
    goldRow(audit, style),
    ...notes(audit).flatMap((note) => ['', ...hangText('', note, style.columns)]),
  ]);
}

const ROLES: Readonly<Record<string, Role>> = { ok: 'good', undecided: 'warn', 'too many': 'bad', failed: 'bad' };

function row(
  mark: string,
  name: string,
  { text, style }: { readonly text: string; readonly style: TextStyle },
): string {
  return `${style.paint(ROLES[mark] ?? 'warn', padEnd(mark, MARK))}${name}  ${text}`;
}

function goldRow({ gold: { tasks, passed }, tasks: all }: SetAudit, style: TextStyle): string {
  const open = all.length - tasks;
  const unknown = open === 0 ? '' : `; of ${plural(open, 'task')} nobody can tell`;
  const mark = tasks === 0 ? 'none' : passed < tasks ? 'failed' : 'ok';
  const text =
    tasks === 0
      ? 'no task has any that could be judged'
      : `pass ${formatCount(passed)} of ${plural(tasks, 'task')}${unknown}`;
  return row(mark, padEnd('gold answers', 22), { text, style });
}

function notes({ tasks, duplicates, bounds }: SetAudit): readonly string[] {
  const trivially = tasks.filter(({ passedBy }) => passedBy.length > 0);
  const failing = tasks.filter(({ gold }) => gold === 'failed');
  const order = tasks.filter(({ orderOnly }) => orderOnly.failed + orderOnly.passed > 0);
  const open = tasks.filter(({ notJudged }) => notJudged !== null);
  const isRecorded = tasks.some(({ kind }) => kind === 'recording');
  return [
    ...listed('Passed by doing nothing', trivially, ({ passedBy }) => passedBy.join(', ')),
    ...listed('Gold answers fail', failing, () => null),
    ...listed('ORDER_ONLY: runs made the gold calls in another order', order, ({ orderOnly: { passed, failed } }) => {
      return `${formatCount(passed)} passed, ${formatCount(failed)} failed`;
    }),
    ...listed(
      `No trivial subject was tried on ${formatCount(open.length)} of ${plural(tasks.length, 'task')}`,
      open,
      ({ notJudged }) => notJudged,
    ),
    ...duplicates
      .slice(0, MOST_NAMED)
      .map((places) => `Duplicates: ${places.map((at) => named(tasks[at])).join(', ')}`),
    ...(duplicates.length > MOST_NAMED
      ? [`and ${plural(duplicates.length - MOST_NAMED, 'more group')} of duplicates`]
      : []),
    ...(isRecorded ? [`Tools that only read: ${plainText(bounds.reads.join(', '))}. --reads names others.`] : []),
  ];
}

function listed(
  title: string,
  tasks: readonly AuditedTask[],
  detail: (task: AuditedTask) => string | null,
): readonly string[] {
  if (tasks.length === 0) return [];
  const names = tasks.map((task) => {
    const more = detail(task);
    return more === null ? named(task) : `${named(task)} (${more})`;
  });
  return [`${title}: ${firstNames(names, MOST_NAMED)}`];
}

function named(task: AuditedTask | undefined): string {
  return plainText(task?.name ?? '', 120);
}
