import type {
  HistoryChange,
  HistoryPoint,
  HistoryRun,
  HistoryScenario,
  HistoryTrend,
  KeptRun,
} from '../types/reports/history.ts';

/** Options of `historyTrends()`. */
export interface HistoryTrendOptions {
  /** The newest points of each scenario that are listed; default: all. */
  readonly limit?: number;
  /** Only points of runs that began at this ISO 8601 time or later; flips and first runs count all the same. */
  readonly since?: string;
}

interface Seen {
  readonly id: string;
  readonly run: HistoryRun;
  readonly scenario: HistoryScenario;
}

/**
 * Runs, oldest first, as one trend per scenario, in the order of the newest run that has it. Scenarios are the same
 * when their names are; where one run has a name twice, the file counts as well.
 */
export function historyTrends(
  runs: readonly KeptRun[],
  { limit = Number.POSITIVE_INFINITY, since = '' }: HistoryTrendOptions = {},
): readonly HistoryTrend[] {
  const shared = namesInTwoFiles(runs);
  const series = new Map<string, Seen[]>();
  for (const { id, run } of runs) {
    for (const scenario of run.scenarios) {
      const key = shared.has(scenario.name) ? `${scenario.name}\n${scenario.file}` : scenario.name;
      const seen = series.get(key);
      if (seen === undefined) series.set(key, [{ id, run, scenario }]);
      else seen.push({ id, run, scenario });
    }
  }
  return inOrder(series, runs).flatMap((seen) => trendOf(seen, limit, since) ?? []);
}

function namesInTwoFiles(runs: readonly KeptRun[]): ReadonlySet<string> {
  const shared = new Set<string>();
  for (const { run } of runs) {
    const names = new Set<string>();
    for (const { name } of run.scenarios) {
      if (names.has(name)) shared.add(name);
      names.add(name);
    }
  }
  return shared;
}

/** Newest run first, and within it as it was planned. */
function inOrder(series: ReadonlyMap<string, readonly Seen[]>, runs: readonly KeptRun[]): readonly (readonly Seen[])[] {
  const ages = new Map(runs.map(({ run }, place) => [run, runs.length - place]));
  const planned = new Map(
    runs.flatMap(({ run }) => run.scenarios.map((scenario, place) => [scenario, place] as const)),
  );
  const ageOf = (seen: readonly Seen[]): number => ages.get(seen.at(-1)?.run as HistoryRun) ?? 0;
  const placeOf = (seen: readonly Seen[]): number => planned.get(seen.at(-1)?.scenario as HistoryScenario) ?? 0;
  return [...series.values()].sort((a, b) => ageOf(a) - ageOf(b) || placeOf(a) - placeOf(b));
}

function trendOf(seen: readonly Seen[], limit: number, since: string): HistoryTrend | null {
  const [first, last] = [seen[0], seen.at(-1)];
  if (first === undefined || last === undefined) return null;
  const points = seen.map((one, place) => pointOf(one, seen[place - 1]));
  const flips = points.filter((point, place) => place > 0 && point.verdict !== points[place - 1]?.verdict);
  const listed = points.filter(({ startedAt }) => startedAt >= since).slice(-limit);
  if (listed.length === 0) return null;
  return {
    name: last.scenario.name,
    file: last.scenario.file,
    firstSeen: first.run.startedAt,
    runs: seen.length,
    flips: { total: flips.length, unchanged: flips.filter(({ changed }) => changed.length === 0).length },
    points: listed,
  };
}

function pointOf({ id, run, scenario }: Seen, before: Seen | undefined): HistoryPoint {
  const { verdict, trials, passed, broken, spoilt, failedFirst, passRate, interval, tokens, costPerSuccess } = scenario;
  return {
    run: id,
    startedAt: run.startedAt,
    changed: before === undefined ? [] : changesBetween(before, { id, run, scenario }),
    verdict,
    trials,
    passed,
    broken,
    ...(spoilt !== undefined && { spoilt }),
    ...(failedFirst !== undefined && { failedFirst }),
    passRate,
    interval,
    tokens,
    costPerSuccess,
  };
}

function changesBetween(before: Seen, after: Seen): readonly HistoryChange[] {
  const changed: HistoryChange[] = [];
  if (before.scenario.digest !== after.scenario.digest) changed.push('scenario');
  if (before.scenario.sampler !== after.scenario.sampler) changed.push('sampler');
  if (before.scenario.seed !== after.scenario.seed) changed.push('seed');
  if (before.run.passk !== after.run.passk) changed.push('passk');
  return changed;
}
