import { runOfBaseline } from '../baseline/read-baseline.ts';
import type { ComparedRun } from '../baseline/compared-run.ts';
import { PasskError } from '../errors.ts';
import { identifyPlan } from '../records/plan-digest.ts';
import type { RunSuiteOptions } from '../settings/options.ts';
import { withFailedTrials } from '../suite/history/failed-trials.ts';
import { makeBaseline } from '../suite/history/make-baseline.ts';
import { firstRecords } from '../suite/rows/first-records.ts';
import { scenarioKey } from '../values/scenario-key.ts';
import { modelsUsd } from '../suite/rows/models-usd.ts';
import { type FinishedRun, type LoadedRun, loadRun, runWithRows } from '../suite/run-suite.ts';
import type { BaselineScenario } from '../types/baseline.ts';
import type { GoldenRun, GoldenTask } from '../types/golden/golden-set.ts';
import type { TrialRecord } from '../types/record.ts';
import type { TallyRow } from '../types/rows/tally-row.ts';
import { COUNTERS } from '../types/trial.ts';

/** A run of a golden set, with what a report about it needs. */
export interface SampledRun {
  readonly run: GoldenRun;
  readonly finished: FinishedRun;
  /** With the trials that failed first. */
  readonly compared: ComparedRun;
}

const TOKENS = COUNTERS.indexOf('llmTokens');

/**
 * Runs a set `times` times, with the same draws; null: it was stopped. Rejects with `INPUT` where it does not load, or has no
 * trial.
 */
export async function sampleRuns(options: RunSuiteOptions, times: number): Promise<readonly SampledRun[] | null> {
  if (times > 1 && options.record !== undefined) {
    throw new PasskError('USAGE', 'A cassette holds one run.', { hint: 'Leave out --runs, or --record.' });
  }
  const runs: SampledRun[] = [];
  for (let at = 0; at < times; at++) {
    const sampled = await sampleOne(await loadRun(withinBudget(options, runs)), { keepsRecords: at === 0 });
    if (sampled === null) return null;
    runs.push(sampled);
  }
  return runs;
}

/** The options with what the budget has left after these runs. */
export function withinBudget<O extends Pick<RunSuiteOptions, 'maxCost' | 'maxTokens'>>(
  options: O,
  runs: readonly SampledRun[],
): O {
  const live = runs.flatMap(({ finished }) => finished.report.live ?? []);
  const spent = live.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0);
  const used = live
    .flatMap(({ models }) => models)
    .reduce((sum, one) => sum + one.promptTokens + one.completionTokens, 0);
  const { maxCost, maxTokens } = options;
  return {
    ...options,
    ...(maxCost !== undefined && { maxCost: Math.max(0, maxCost - spent) }),
    // No budget of tokens is below one.
    ...(maxTokens !== undefined && { maxTokens: Math.max(1, maxTokens - used) }),
  };
}

/** `keepsRecords`: what was said and done in its first trials. */
async function sampleOne(
  loaded: LoadedRun,
  { keepsRecords }: { readonly keepsRecords: boolean },
): Promise<SampledRun | null> {
  const finished = await runWithRows(loaded, { atLeast: 1, ...(keepsRecords && { firstRecords: true }) });
  const { plan, report, scenarios } = finished;
  if (report.partial) return null;
  const tallies = scenarios.map(({ tally }) => tally);
  const { plugins } = await identifyPlan(plan, loaded.options);
  const { seed } = loaded.options;
  const baseline = makeBaseline({ plan, tallies, seed, stopsEarly: false, plugins });
  const rows = new Map(
    plan.scenarios.map(({ scenario, index }) => [scenarioKey(scenario), tallies[index]?.rows?.list() ?? []] as const),
  );
  const records = keepsRecords ? firstRecords(finished) : null;
  const tasks = baseline.scenarios.map((one) => {
    const own = records?.get(scenarioKey(one));
    return {
      ...taskOf(one, rows.get(scenarioKey(one)) ?? []),
      ...(own !== undefined && { records: { passed: withoutCost(own.passed), failed: withoutCost(own.failed) } }),
    };
  });
  if (tasks.every(({ trials, broken }) => trials + broken === 0)) {
    throw new PasskError('INPUT', 'The golden set has no trials.', {
      hint: 'Name scenarios or sessions: contracts, tests of models and enumerations are no golden sets.',
    });
  }
  const compared = withFailedTrials(runOfBaseline(baseline, 'of this run'), { plan, tallies });
  return { run: { baseline, tasks }, finished, compared };
}

/** What a trial cost is counted of all trials. */
function withoutCost(record: TrialRecord | null): TrialRecord | null {
  return record && { ...record, ledger: [] };
}

function taskOf({ name, file, total }: BaselineScenario, rows: readonly TallyRow[]): GoldenTask {
  const judged = rows.filter(({ verdict }) => verdict !== 'broken');
  return {
    name,
    file,
    trials: judged.length,
    passed: judged.filter(({ verdict }) => verdict === 'passed').length,
    broken: rows.length - judged.length,
    tokens: total.llmTokens === null ? null : judged.reduce((sum, { counters }) => sum + (counters[TOKENS] ?? 0), 0),
    usd: modelsUsd(judged.flatMap(({ ledger }) => ledger)),
    calls: rows.map(({ verdict, calls }) => (verdict === 'broken' ? null : calls)),
  };
}
