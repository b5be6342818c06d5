import { digestOf } from '../records/plan-digest.ts';
import { scenarioKey } from '../values/scenario-key.ts';
import type { DriftReport } from '../types/reports/drift.ts';
import type { GoldenIssue, GoldenRegression } from '../types/golden/golden-report.ts';
import { failuresOf, type ScenarioReport } from '../types/reports/scenario-report.ts';
import type { TrailDivergence } from '../types/sessions/session-trail.ts';
import { canonicalJson } from '../values/canonical-json.ts';
import { firstRecord } from './golden-tasks.ts';
import type { GoldenJudgement } from './judge-golden.ts';
import type { SampledRun } from './sample-run.ts';

/** Trials that are named. */
const MOST_TRIALS = 20;
/** Regressions whose trials are shown. */
const MOST_BESIDE = 20;

/** What is to be said of each task that regressed. `reports`: with places as a reader types them. */
export function regressionsOf(
  regressed: GoldenJudgement['regressed'],
  { finished }: SampledRun,
  { drift, reports }: { readonly drift: Pick<DriftReport, 'scenarios'>; readonly reports: readonly ScenarioReport[] },
): readonly GoldenRegression[] {
  const drifts = new Map(drift.scenarios.map((one) => [scenarioKey({ name: one.name, file: one.file ?? '' }), one]));
  return regressed.map(({ pair: { before, after }, shownBy }, at) => {
    const key = scenarioKey(after);
    const planned = finished.plan.scenarios.findIndex(({ scenario }) => scenarioKey(scenario) === key);
    const place = finished.report.scenarios.findIndex((one) => scenarioKey(one) === key);
    const report = reports[place];
    const failure = report === undefined ? undefined : failuresOf(report).find(({ verdict }) => verdict === 'failed');
    const rows = finished.scenarios[planned]?.tally.rows?.list() ?? [];
    const traceId = finished.plan.scenarios[planned]?.scenario.origin?.source?.traceId;
    const drifted = drifts.get(key);
    const check = failure?.findings[0]?.check ?? null;
    const [was, is] = [before.records?.passed ?? firstRecord(before), after.records?.failed ?? null];
    return {
      task: after.name,
      file: report?.file ?? after.file,
      baseline: { passed: before.passed, trials: before.trials },
      candidate: { passed: after.passed, trials: after.trials },
      q: drifted?.q ?? null,
      shownBy,
      check,
      divergence: drifted?.divergence?.text ?? null,
      trials: rows.flatMap(({ trial, verdict }) => (verdict === 'failed' ? [trial] : [])).slice(0, MOST_TRIALS),
      traceIds: traceId === undefined ? [] : [traceId],
      replay: failure?.replay ?? null,
      fingerprint: fingerprintOf(after.name, check, drifted?.divergence),
      ...(was !== null && is !== null && at < MOST_BESIDE && { trialsBeside: { baseline: was, candidate: is } }),
    };
  });
}

/** By what was tried, and not by where it stands: a file that moves makes no new issue. */
function fingerprintOf(task: string, check: string | null, divergence: TrailDivergence | undefined): string {
  const step =
    divergence === undefined || divergence.at === null
      ? null
      : { at: divergence.at, call: divergence.call?.tool ?? null, expected: divergence.expected?.tool ?? null };
  return digestOf(canonicalJson({ task, check, step }));
}

/** An issue for each fingerprint; where the gate fails and no task is to blame, one about the set. []: it does not fail. */
export function issuesOf(
  regressions: readonly GoldenRegression[],
  { verdict, reasons }: Pick<GoldenJudgement, 'verdict' | 'reasons'>,
  set: string,
): readonly GoldenIssue[] {
  if (verdict !== 'fail') return [];
  const byFingerprint = new Map<string, GoldenIssue>();
  for (const one of regressions) {
    const { fingerprint, task, file, baseline, candidate, check, divergence, trials, traceIds, replay } = one;
    const before = byFingerprint.get(fingerprint);
    const message = `"${task}" passed ${baseline.passed} of ${baseline.trials} trials before, and ${candidate.passed} of ${candidate.trials} now.`;
    byFingerprint.set(fingerprint, {
      fingerprint,
      kind: 'regression',
      set,
      task,
      file,
      check,
      divergence,
      trials,
      traceIds: [...(before?.traceIds ?? []), ...traceIds],
      replay,
      message,
    });
  }
  if (byFingerprint.size > 0) return [...byFingerprint.values()];
  const about = { kind: 'gate', set } as const;
  return [
    {
      fingerprint: digestOf(canonicalJson(about)),
      ...about,
      task: null,
      file: null,
      check: null,
      divergence: null,
      trials: [],
      traceIds: [],
      replay: null,
      message: reasons.join(' '),
    },
  ];
}
