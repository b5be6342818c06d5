import type { Issue, Location } from '../../types/issue.ts';
import type { RenderOptions } from '../../types/render-options.ts';
import type { SuiteReport } from '../../types/reports/report.ts';
import { MEMORY, nameFromRoot } from '../../values/name-from-root.ts';
import { failsGate, type ReportedCase, type ReportedSuite } from '../cases/reported-case.ts';
import { reportedSuites, resultCounts } from '../result-kinds.ts';
import { plural } from '../../text/format-number.ts';
import { GATE_TITLES } from '../words/gate-texts.ts';
import { givenUpTexts, otherNotices } from '../words/given-up-texts.ts';
import { type AnnotationPlace, githubCommand } from './github-command.ts';
import { plainText } from '../plain-text.ts';

/** GitHub keeps ten annotations of a kind per step and fifty per job; the rest is only in the log. */
const MOST_ANNOTATIONS = 50;
const LONGEST_MESSAGE = 4000;
/** As long as a path can be. */
const LONGEST_FILE = 4096;

/** Workflow commands of GitHub Actions: annotations at lines of files, the verdict last. */
export function renderGithub(report: SuiteReport, options: RenderOptions): string {
  return githubText(report, reportedSuites({ report, options }), options);
}

/** The report with these cases. */
export function githubText(
  report: SuiteReport,
  suites: readonly ReportedSuite[],
  options: Pick<RenderOptions, 'filePrefix'>,
): string {
  const listed = suites
    .flatMap(({ cases }) => [...cases].sort((one, other) => other.weight - one.weight))
    .filter((one) => failsGate(one) || one.outcome === 'failed');
  const annotations = listed.filter(({ place }) => place !== null).flatMap((one) => annotationsOf(one, options));
  const warnings = otherNotices(report).map((notice) => issueCommand(notice, options));
  const more = annotations.length - MOST_ANNOTATIONS;
  return [
    ...givenUpTexts(report).map((text) => githubCommand('warning', { title: 'passk' }, text)),
    ...annotations.slice(0, MOST_ANNOTATIONS),
    ...(more > 0 ? [githubCommand('notice', { title: 'passk' }, `${plural(more, 'more annotation')} left out.`)] : []),
    // Cases about the run as a whole are never left out.
    ...listed.filter(({ place }) => place === null).flatMap((one) => annotationsOf(one, options)),
    ...warnings.slice(0, MOST_ANNOTATIONS),
    githubCommand('notice', { title: 'passk' }, verdictText(report)),
  ].join('');
}

/** Annotations for problems of files, for a run that ends before there is a report. */
export function renderIssueAnnotations(issues: readonly Issue[], options: Pick<RenderOptions, 'filePrefix'>): string {
  return issues
    .slice(0, MOST_ANNOTATIONS)
    .map((issue) => issueCommand(issue, options))
    .join('');
}

/** The annotations of a case: a failure that does not count is a warning. */
function annotationsOf(one: ReportedCase, options: Pick<RenderOptions, 'filePrefix'>): readonly string[] {
  const { problems, place, title, summary, details } = one;
  if (problems.length > 0) return problems.map((issue) => issueCommand(issue, options));
  const message = cut([...(summary === '' ? [] : [summary]), ...details].join('\n'));
  const at = place === null ? { title } : placeOf(place, title, options);
  return [githubCommand(failsGate(one) ? 'error' : 'warning', at, message)];
}

function issueCommand({ severity, message, at, hint }: Issue, options: Pick<RenderOptions, 'filePrefix'>): string {
  const text = [message, hint ?? ''].filter((line) => line !== '').map((line) => plainText(line, LONGEST_MESSAGE));
  const place = at === undefined ? { title: 'passk' } : placeOf(at, 'passk', options);
  return githubCommand(severity, place, text.join('\n'));
}

function placeOf(
  { file, line, column }: Location,
  title: string,
  { filePrefix = '' }: Pick<RenderOptions, 'filePrefix'>,
): AnnotationPlace {
  // Scenarios made in memory have no file that GitHub could show.
  if (file.startsWith(MEMORY)) return { title };
  // Scenarios may lie beside the working folder. GitHub takes paths from the repository, without `..`.
  const name = plainText(filePrefix === '' ? file : nameFromRoot(filePrefix, file), LONGEST_FILE);
  return { file: name, line, col: column, title };
}

function verdictText(report: SuiteReport): string {
  const { gate, summary, seed } = report;
  const held = gate.expressions.filter(({ verdict }) => verdict === 'pass').length;
  const gates = gate.expressions.length === 0 ? '' : `, ${held} of ${plural(gate.expressions.length, 'gate')} held`;
  const results = resultCounts(report).map(({ plural: kind, parts }) => `${kind}: ${parts.join(' and ')}`);
  const scenarios = `${summary.passed} of ${plural(summary.scenarios, 'scenario')} passed`;
  // The trials of other results are no scenario's.
  const hasScenarios = summary.scenarios > 0 || results.length === 0;
  const counts = [...(hasScenarios ? [scenarios] : []), ...results].join(', ');
  const trials = hasScenarios ? `, ${plural(summary.trials.executed, 'trial')}` : '';
  return `${GATE_TITLES[gate.verdict]}; ${counts}${gates}${trials}, seed ${seed}.`;
}

/** Cut at a line's end, with a note. */
function cut(text: string): string {
  if (text.length <= LONGEST_MESSAGE) return text;
  const end = text.lastIndexOf('\n', LONGEST_MESSAGE);
  return `${text.slice(0, end === -1 ? LONGEST_MESSAGE : end)}\n…`;
}
