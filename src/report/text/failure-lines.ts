import {
  type EnumeratedScenario,
  isJudged,
  type JudgedScenario,
  type SampledScenario,
  type ScenarioReport,
  type UnloadedScenario,
} from '../../types/reports/scenario-report.ts';
import type { FailureReport } from '../../types/scenarios/failure-report.ts';
import { displayWidth, shorten } from '../../text/display-width.ts';
import { causeLines, failedTrialLines, showLines } from './failed-trial-lines.ts';
import { failedExample } from '../words/failed-example.ts';
import { failingSequences } from './exact-lines.ts';
import { findingLines } from './finding-lines.ts';
import { formatCount, plural } from '../../text/format-number.ts';
import { issueLines } from './issue-lines.ts';
import { plainName, plainText } from '../plain-text.ts';
import { scenarioMark } from '../words/scenario-mark.ts';
import type { TextStyle } from './text-style.ts';
import { hangText } from './wrap-text.ts';

/** Without `verbose`, at most so many of a kind are shown, and the others counted. */
const MOST = { scenarios: 20, problems: 20, checks: 8, trials: 3 } as const;
const LONGEST_FILE = 600;
const LONGEST_NAME = 300;

/** What went wrong in each scenario: expected and got, the path that was walked, the command that shows it. */
export function failureLines(scenarios: readonly ScenarioReport[], style: TextStyle): readonly string[] {
  const failing = scenarios.filter((scenario) => isTold(scenario, style.verbose));
  const shown = style.verbose ? failing : failing.slice(0, MOST.scenarios);
  const lines = shown.flatMap((scenario) => ['', ...scenarioFailureLines(scenario, style)]);
  if (shown.length === failing.length) return lines;
  const rest = plural(failing.length - shown.length, 'more failing scenario');
  return [...lines, '', ...hangText('… ', `${rest}; --verbose shows all of them.`, style.columns)];
}

function isTold(scenario: ScenarioReport, verbose: boolean): boolean {
  if (!isJudged(scenario)) return scenario.verdict === 'load_error';
  const isWanted = verbose || scenario.verdict !== 'passed';
  if (scenario.sampler !== 'exhaustive') {
    return scenario.trials.broken > 0 || (scenario.trials.failed > 0 && isWanted);
  }
  const { exact } = scenario;
  return exact === null || exact.brokenRate > 0 || (exact.failingSequences > 0 && isWanted);
}

function scenarioFailureLines(scenario: ScenarioReport, style: TextStyle): readonly string[] {
  const mark = scenarioMark(scenario);
  const name = plainName(scenario.name, LONGEST_NAME);
  const file = plainText(scenario.file);
  const title = hangText('  ', name, style.columns).map((line, at) => {
    const sign = at === 0 ? style.paint(mark.role, `${mark.sign} `) : '  ';
    return sign + style.paint('strong', line.slice(2));
  });
  if (file === name) return [...title, ...failureBody(scenario, style)];
  const place = failurePlace(scenario);
  const together = displayWidth(name) + displayWidth(place) + 4 <= style.columns;
  const head = together
    ? [`${title.join('')}  ${style.paint('dim', place)}`]
    : [...title, style.paint('dim', shorten(`  ${place}`, style.columns))];
  return [...head, ...failureBody(scenario, style)];
}

/** The file, with the place of the expectation that failed as editors and terminals open it. Harmless. */
export function failurePlace(scenario: ScenarioReport): string {
  const at = isJudged(scenario) ? scenario.at : undefined;
  const file = plainText(at?.file ?? scenario.file, LONGEST_FILE);
  return at === undefined ? file : `${file}:${at.line}:${at.column}`;
}

/** What went wrong in one scenario, without a title. */
export function failureBody(scenario: ScenarioReport, style: TextStyle): readonly string[] {
  if (scenario.verdict === 'load_error') return loadErrorLines(scenario, style);
  if (scenario.verdict === 'not_run') return [];
  if (scenario.sampler !== 'exhaustive') return [...checkLines(scenario, style), ...trialLines(scenario, style)];
  return [...sequenceLines(scenario, style), ...leafLines(scenario, style)];
}

function loadErrorLines({ loadErrors }: UnloadedScenario, style: TextStyle): readonly string[] {
  const shown = style.verbose ? loadErrors : loadErrors.slice(0, MOST.problems);
  const lines = shown.flatMap((issue) => issueLines(issue, '  ', style));
  return [...lines, ...moreLine(loadErrors.length - shown.length, 'problem')];
}

function sequenceLines({ exact }: EnumeratedScenario, style: TextStyle): readonly string[] {
  if (exact === null) return [];
  const sequences = failingSequences(exact, style.verbose ? exact.failing.length : undefined);
  return sequences.flatMap((sequence) => hangText('  ', sequence, style.columns));
}

function checkLines({ checks, failures, trials }: SampledScenario, style: TextStyle): readonly string[] {
  const shown = style.verbose ? checks : checks.slice(0, MOST.checks);
  const judged = trials.passed + trials.failed + trials.broken;
  const lines = shown.flatMap(({ check, failed }) => {
    const count = judged === 1 ? '' : `${formatCount(failed)} of ${plural(judged, 'trial')}`;
    const example = failedExample(failures, check);
    // Trials that fail one check may have got different things.
    const whose = failed > 1 && example !== undefined ? `; this is trial ${example.trial}` : '';
    if (example !== undefined) return findingLines(example.finding, count + whose, '  ', style);
    return hangText('  ', `${plainText(check, 200)}${count === '' ? '' : ` — ${count}`}`, style.columns);
  });
  return [...lines, ...moreLine(checks.length - shown.length, 'failed check')];
}

/**
 * One trial for each way to fail, which says more than the first few trials. Of some ways only the count is in the
 * report.
 */
function trialLines(scenario: SampledScenario, style: TextStyle): readonly string[] {
  const { failureClasses, failures } = scenario;
  const shown = style.verbose ? failureClasses : failureClasses.slice(0, MOST.trials);
  const lowest = new Set(shown.map(({ lowestTrial }) => lowestTrial));
  const ways = shown.flatMap((way) => {
    const failure = failures.find(({ trial }) => trial === way.lowestTrial);
    const title = trialTitle(way.lowestTrial, failureClasses.length > 1 ? wayText(way) : '', scenario, style);
    if (failure !== undefined) return [...title, ...failedTrialLines(failure, style)];
    const command = replayOf(way.lowestTrial, failures);
    return command === null ? title : [...title, ...showLines(command, style)];
  });
  const others = failures.filter(({ trial, verdict }) => verdict === 'failed' && !lowest.has(trial));
  return [
    ...ways,
    ...moreLine(failureClasses.length - shown.length, 'way to fail', 'ways to fail'),
    ...(style.verbose ? others : []).flatMap((failure) => [
      ...trialTitle(failure.trial, '', scenario, style),
      ...failedTrialLines(failure, style),
    ]),
    ...brokenLines(scenario, style),
  ];
}

/** One trial for each cause. */
function brokenLines(scenario: SampledScenario, style: TextStyle): readonly string[] {
  const { failures, trials, brokenCauses = [] } = scenario;
  const broken = failures.filter(({ verdict }) => verdict === 'broken');
  const shown = style.verbose ? brokenCauses : brokenCauses.slice(0, MOST.trials);
  const lines = shown.flatMap(({ cause, count, lowestTrial }) => {
    const title = trialTitle(lowestTrial, brokenText(count, trials.broken), scenario, style);
    const failure = broken.find(({ trial }) => trial === lowestTrial);
    if (failure !== undefined) return [...title, ...failedTrialLines(failure, style)];
    const command = replayOf(lowestTrial, failures);
    return [...title, ...causeLines(cause, style), ...(command === null ? [] : showLines(command, style))];
  });
  return [...lines, ...moreLine(brokenCauses.length - shown.length, 'cause')];
}

/** For enumerated answers: the first leaf that fails, or all that the report holds, and the first that breaks. */
function leafLines(scenario: EnumeratedScenario, style: TextStyle): readonly string[] {
  const failed = scenario.failures.filter(({ verdict }) => verdict === 'failed');
  const broken = scenario.failures.filter(({ verdict }) => verdict === 'broken');
  return [...failed.slice(0, style.verbose ? failed.length : 1), ...broken.slice(0, 1)].flatMap((failure) => [
    ...trialTitle(failure.trial, failure.verdict === 'broken' ? 'broken' : '', scenario, style),
    ...failedTrialLines(failure, style),
  ]);
}

/** The command of a trial that the report does not hold, made from that of one that it holds: only the number differs. */
function replayOf(trial: number, failures: readonly FailureReport[]): string | null {
  const [example] = failures;
  if (example === undefined || example.replay === null) return null;
  const { replay } = example;
  const before = replay.startsWith('traceTrial(') ? ', trial: ' : ' --trial ';
  const option = `${before}${example.trial}`;
  // The file stands before the option, so that the last occurrence is the option even for a file of such a name.
  const at = replay.lastIndexOf(option);
  return at === -1 ? null : `${replay.slice(0, at)}${before}${trial}${replay.slice(at + option.length)}`;
}

function trialTitle(
  trial: number,
  what: string,
  { seed, sampler }: JudgedScenario,
  { columns }: TextStyle,
): readonly string[] {
  const which = sampler === 'exhaustive' ? `leaf ${trial}` : `trial ${trial}, seed ${seed}`;
  return hangText('  ', `${which}${what === '' ? '' : ` — ${what}`}`, columns);
}

function wayText({ checks, count }: SampledScenario['failureClasses'][number]): string {
  const names = checks.map((check) => plainText(check, 80)).join(', ');
  return `${plural(count, 'trial')} ${count === 1 ? 'fails' : 'fail'} ${names}`;
}

function brokenText(count: number, broken: number): string {
  if (broken <= 1) return 'broken';
  if (count === broken) return `broken, one of ${formatCount(broken)}`;
  const which = count === 1 ? 'the only one' : `one of ${formatCount(count)}`;
  return `broken, ${which} with this cause (${formatCount(broken)} in all)`;
}

function moreLine(count: number, one: string, many = `${one}s`): readonly string[] {
  return count > 0 ? [`  … ${plural(count, one, many)} more (--verbose)`] : [];
}
