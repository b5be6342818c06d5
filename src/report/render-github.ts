import type { Issue, Location } from '../types/issue.ts';
import type { ContractReport } from '../types/contract-report.ts';
import type { RenderOptions } from '../types/render-options.ts';
import type { SuiteReport } from '../types/report.ts';
import { MEMORY, nameFromRoot } from '../values/name-from-root.ts';
import { cellBody } from './contract-lines.ts';
import { cellName, contractName, contractsSummary, type PlacedCell, redCells } from './contract-texts.ts';
import { failureText } from './failure-text.ts';
import { plural } from './format-number.ts';
import { givenUpTexts, otherNotices } from './given-up-texts.ts';
import { type AnnotationPlace, githubCommand } from './github-command.ts';
import { judgementTexts } from './judgement-texts.ts';
import { plainText } from './plain-text.ts';
import { isTrouble, type ScenarioOutcome, scenarioOutcomes } from './scenario-outcome.ts';
import { silentGate } from './silent-gate.ts';
import { textStyle } from './text-style.ts';

/** GitHub keeps ten annotations of a kind per step and fifty per job; the rest is only in the log. */
const MOST_ANNOTATIONS = 50;
const LONGEST_TITLE = 120;
const LONGEST_MESSAGE = 4000;
/** As long as a path can be. */
const LONGEST_FILE = 4096;

/** Workflow commands of GitHub Actions: annotations at the lines of the files they are about, the verdict last. */
export function renderGithub(report: SuiteReport, options: RenderOptions): string {
  const outcomes = scenarioOutcomes(report);
  const trouble = outcomes.filter(isTrouble);
  const contracts = report.contracts ?? [];
  const errors = [
    ...trouble.flatMap((one) => annotations(one, options)),
    ...contracts.flatMap((contract) => redCells(contract).map((one) => cellAnnotation(contract, one, options))),
  ];
  const gate = silentGate(report, outcomes);
  const warnings = otherNotices(report).map((notice) => issueCommand(notice, options));
  const more = errors.length - MOST_ANNOTATIONS;
  return [
    ...givenUpTexts(report).map((text) => githubCommand('warning', { title: 'passk' }, text)),
    ...errors.slice(0, MOST_ANNOTATIONS),
    ...(more > 0 ? [githubCommand('notice', { title: 'passk' }, `${plural(more, 'more annotation')} left out.`)] : []),
    ...(gate === null ? [] : [githubCommand('error', { title: 'passk gate' }, gate)]),
    ...judgementTexts(report)
      .filter(({ word }) => word !== 'pass')
      .map(({ text, found, tells }) =>
        githubCommand(
          'error',
          { title: 'passk gate' },
          [text, ...found, tells].filter((line) => line !== '').join('\n'),
        ),
      ),
    ...warnings.slice(0, MOST_ANNOTATIONS),
    githubCommand('notice', { title: 'passk' }, verdictText(report)),
  ].join('');
}

/** Annotations for problems of files, for runs that end before there is a report. */
export function renderIssueAnnotations(issues: readonly Issue[], options: Pick<RenderOptions, 'filePrefix'>): string {
  return issues
    .slice(0, MOST_ANNOTATIONS)
    .map((issue) => issueCommand(issue, options))
    .join('');
}

function annotations(one: ScenarioOutcome, options: RenderOptions): readonly string[] {
  const { scenario, outcome, counts, cause } = one;
  if (outcome === 'load_error') return scenario.loadErrors.map((issue) => issueCommand(issue, options));
  const at = scenario.at ?? { file: scenario.file, line: 1, column: 1 };
  const title = plainText(`${scenario.name}: ${cause === '' ? counts : cause}`, LONGEST_TITLE);
  const message = `${counts}\n${failureText(scenario, options)}`;
  return [githubCommand('error', placeOf(at, title, options), cut(message))];
}

/** Where the contract holds all the same, a red cell is a warning. */
function cellAnnotation({ name, file, verdict }: ContractReport, one: PlacedCell, options: RenderOptions): string {
  const title = plainText(`${contractName(name)}: ${cellName(one)}`, LONGEST_TITLE);
  const lines = cellBody(one, textStyle({ ...options, color: false, columns: 100 }));
  const message = cut([`${one.row.severity} invariant ${one.cell.state}`, ...lines].join('\n'));
  const level = verdict === 'passed' ? 'warning' : 'error';
  return githubCommand(level, placeOf({ file, line: 1, column: 1 }, title, options), message);
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
  // Scenarios may lie beside the working folder: GitHub wants the way from the repository without detours.
  const name = plainText(filePrefix === '' ? file : nameFromRoot(filePrefix, file), LONGEST_FILE);
  return { file: name, line, col: column, title };
}

function verdictText(report: SuiteReport): string {
  const { gate, summary, seed } = report;
  const open = gate.expressions.filter(({ verdict }) => verdict === 'pass').length;
  const gates = gate.expressions.length === 0 ? '' : `, ${open} of ${plural(gate.expressions.length, 'gate')} held`;
  const verdicts = { pass: 'Gate passed', fail: 'Gate failed', insufficient: 'Gate undecided: not enough evidence' };
  const held = contractsSummary(report);
  const contracts = held.length === 0 ? [] : [`contracts: ${held.join(' and ')}`];
  const scenarios = `${summary.passed} of ${plural(summary.scenarios, 'scenario')} passed`;
  const counts = [...(summary.scenarios === 0 && held.length > 0 ? [] : [scenarios]), ...contracts].join(', ');
  return `${verdicts[gate.verdict]}; ${counts}${gates}, ${plural(summary.trials.executed, 'trial')}, seed ${seed}.`;
}

/** Cut at a line's end, with a note. */
function cut(text: string): string {
  if (text.length <= LONGEST_MESSAGE) return text;
  return `${text.slice(0, text.lastIndexOf('\n', LONGEST_MESSAGE))}\n…`;
}
