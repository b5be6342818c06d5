import { firstNames } from '../text/first-names.ts';
import { formatShort, plural } from '../text/format-number.ts';
import { formatRate } from '../text/format-rate.ts';
import { lossText, noiseText, preferenceTexts, trajectoryText, unshownText } from '../report/sections/golden-texts.ts';
import { meanText } from '../report/mean-text.ts';
import { signed } from '../report/signed.ts';
import { labelRow, textPage } from '../report/text-page.ts';
import type { TextStyle } from '../report/text/text-style.ts';
import type { GoldenIssue, GoldenRegression, GoldenReport } from '../types/golden/golden-report.ts';
import type { GoldenSet } from '../types/golden/golden-set.ts';
import type { RenderOptions } from '../types/render-options.ts';

const LONGEST = 400;
const LONGEST_REASON = 2000;
/** Regressions, and names of other tasks that did worse, that are listed. */
const MOST_LISTED = 20;
const VERDICTS = { pass: 'passed', fail: 'failed', insufficient: 'not enough evidence' } as const;

/** How a candidate compares with its baseline, for people. */
export function renderGolden(report: GoldenReport, options: Partial<RenderOptions> = {}): string {
  const { verdict, reasons, set, paired, tasks, passHatK, cost, trajectory, preference, noise } = report;
  const { regressions, worse, flaky } = report;
  return textPage(options, (style) => {
    const row = rowsFor(style);
    return [
      ...row('golden', `${set.file}: ${VERDICTS[verdict]}`),
      ...reasons.flatMap((reason) => row('', reason, LONGEST_REASON)),
      ...row('candidate', candidateText(report)),
      ...row('tasks', `${paired} of ${set.tasks} compared${tasks === null ? '' : `: ${lossText(tasks)}`}`),
      ...passHatK.flatMap(({ k, ...mean }) => row(`pass^${k}`, meanText(mean, formatRate))),
      ...rowOf('not shown', unshownText(report), row),
      ...(cost.usd === null ? [] : row('dollars', `${meanText(cost.usd, formatShort)} a trial`)),
      ...(cost.tokens !== null
        ? row('tokens', `${meanText(cost.tokens, formatShort)} a trial`)
        : paired === 0
          ? []
          : row('tokens', 'not all are told')),
      ...(cost.perSuccess === null ? [] : row('per success', `cost ${signed(cost.perSuccess)} of the former`)),
      ...(trajectory === null ? [] : row('calls', trajectoryText(trajectory))),
      ...(trajectory?.first ?? []).slice(0, 3).flatMap(({ task, text }) => row('', `${task}: ${text}`)),
      ...(preference === undefined
        ? []
        : preferenceTexts(preference).flatMap((text, at) => row(at === 0 ? 'judge' : '', text))),
      ...row('noise floor', noiseText(noise)),
      ...(report.replayMisses === 0
        ? []
        : row('replay_miss', `${plural(report.replayMisses, 'trial')} asked for what was never recorded`)),
      ...regressions.slice(0, MOST_LISTED).flatMap((one) => ['', ...regressionLines(one, row)]),
      ...(regressions.length > MOST_LISTED ? ['', ...row('', `and ${regressions.length - MOST_LISTED} more`)] : []),
      ...(worse.length === 0 ? [] : ['', ...row('worse', worseText(worse))]),
      ...(flaky.length === 0 ? [] : ['', ...row('flaky', flakyText(flaky))]),
      ...sinkLines(report, row),
    ];
  });
}

/** What was pinned or accepted, for people. */
export function renderGoldenSet(set: GoldenSet, options: Partial<RenderOptions> = {}): string {
  const { files, runs, agents, accepted, hash, seed } = set;
  const [first] = runs;
  const tasks = first?.tasks ?? [];
  const trials = tasks.reduce((sum, task) => sum + task.trials, 0);
  const passed = tasks.reduce((sum, task) => sum + task.passed, 0);
  const broken = tasks.reduce((sum, task) => sum + task.broken, 0);
  const brokenText = broken === 0 ? '' : `, ${broken} more broken`;
  return textPage(options, (style) => {
    const row = rowsFor(style);
    return [
      ...row('golden', `${plural(tasks.length, 'task')} in ${plural(files.length, 'file')}, ${hash.slice(0, 16)}`),
      ...row(
        'baseline',
        `${agents?.file ?? 'the agents of the set'}: ${passed} of ${trials} trials passed${brokenText}`,
      ),
      ...row('runs', `${runs.length}, seed ${seed}`),
      ...(accepted === null
        ? []
        : row(
            'accepted',
            `${accepted.reason}${accepted.by === null ? '' : ` (${accepted.by})`}${forcedText(accepted)}`,
          )),
    ];
  });
}

/** Who was tried, and where its tasks stand if not in the set. */
function candidateText({ agents, paths }: Pick<GoldenReport, 'agents' | 'paths'>): string {
  if (paths === null) return agents ?? 'the agents of the set';
  const named = `${paths.slice(0, MOST_LISTED).join(', ')}${paths.length > MOST_LISTED ? ', …' : ''}`;
  return agents === null ? named : `${agents}, on ${named}`;
}

type Row = (name: string, text: string, longest?: number) => readonly string[];

function rowsFor(style: TextStyle): Row {
  return (name, text, longest = LONGEST) => labelRow(name, text, style, { longest });
}

function rowOf(name: string, text: string | null, row: Row): readonly string[] {
  return text === null ? [] : row(name, text);
}

function forcedText({ isForced }: { readonly isForced: boolean }): string {
  return isForced ? ', by force' : '';
}

function regressionLines(
  { task, baseline, candidate, check, divergence, trials, traceIds, replay, fingerprint }: GoldenRegression,
  row: Row,
): readonly string[] {
  const counts = `${baseline.passed}/${baseline.trials} → ${candidate.passed}/${candidate.trials} trials`;
  return [
    ...row('regressed', `${task}: ${counts}${check === null ? '' : `, failed: ${check}`}`),
    ...(divergence === null ? [] : row('', divergence)),
    ...(trials.length === 0 ? [] : row('trials', trials.join(', '))),
    ...(traceIds.length === 0 ? [] : row('trace', traceIds.join(', '))),
    ...(replay === null ? [] : row('replay', replay)),
    ...row('issue', fingerprint.slice(0, 16)),
  ];
}

function worseText(names: readonly string[]): string {
  return `${plural(names.length, 'task')} did worse, which only more trials could tell from chance: ${firstNames(names, MOST_LISTED)}`;
}

function flakyText(names: readonly string[]): string {
  return `${plural(names.length, 'task')} did worse, as the baseline itself does now and then: ${firstNames(names, MOST_LISTED)}`;
}

function sinkLines(
  { issues, sink }: { readonly issues: readonly GoldenIssue[] } & Pick<GoldenReport, 'sink'>,
  row: Row,
) {
  if (sink === null) {
    return issues.length === 0
      ? []
      : ['', ...row('issues', `${plural(issues.length, 'issue')}, and nothing was filed: there is no --issue-sink.`)];
  }
  if (issues.length === 0 && sink.filed === 0) return [];
  return ['', ...row('issues', `${issues.length}, of which ${sink.filed} were filed now to ${sink.name}`)];
}
