import { localSlopes, plateauOf, type RungValue, superlinearFrom } from '../../stats/ladder.ts';
import type {
  LadderKind,
  LadderMeasure,
  LadderReport,
  LadderRung,
  LadderRungReport,
} from '../../types/ladders/ladder.ts';
import { isSampled, type SampledScenario, type ScenarioReport } from '../../types/reports/scenario-report.ts';
import { groupBy } from '../../values/group-by.ts';

type OnLadder = Exclude<ScenarioReport, { readonly verdict: 'load_error' }> & { readonly ladder: LadderRung };

/** The ladders of a run, in the order of their first rungs. */
export function foldLadders(scenarios: readonly ScenarioReport[]): readonly LadderReport[] {
  const standing = scenarios.filter((one): one is OnLadder => one.verdict !== 'load_error' && one.ladder !== undefined);
  return [...groupBy(standing, ({ file, ladder }) => JSON.stringify([file, ladder.of])).values()].flatMap(
    (rungs): readonly LadderReport[] => {
      const [first] = rungs;
      return first === undefined ? [] : [foldLadder(first, rungs)];
    },
  );
}

function foldLadder(first: OnLadder, scenarios: readonly OnLadder[]): LadderReport {
  const { of, kind, measure } = first.ladder;
  const sorted = [...scenarios].sort((a, b) => a.ladder.rung - b.ladder.rung);
  const values = sorted.map((one): RungValue => ({ rung: one.ladder.rung, value: measured(one, measure) }));
  const rates = values.map(({ rung, value }) => ({ rung, value: value === null || value <= 0 ? null : 1000 / value }));
  const slopes = localSlopes(values);
  const figureAt = (at: number): number | null => {
    if (kind === 'context') return at === 0 ? null : (slopes[at - 1] ?? null);
    if (kind === 'concurrency') return rates[at]?.value ?? null;
    const { rung = 1, value = null } = values[at] ?? {};
    return value === null ? null : value / rung;
  };
  const rungs = sorted.map((one, at): LadderRungReport => {
    const isRun = isSampled(one);
    return {
      rung: one.ladder.rung,
      scenario: one.name,
      passRate: isRun ? one.passRate : null,
      value: values[at]?.value ?? null,
      figure: figureAt(at),
      runaways: isRun ? runaways(one, kind) : 0,
    };
  });
  return {
    ladder: of,
    file: first.file,
    kind,
    measure,
    rungs,
    threshold: kind === 'context' ? superlinearFrom(values) : kind === 'concurrency' ? plateauOf(rates) : null,
    failsAtFirst: sorted[0] !== undefined && fails(sorted[0]),
  };
}

/** Broken trials alone say nothing of the subject. */
function fails(scenario: OnLadder): boolean {
  return isSampled(scenario) && scenario.passRate === 0 && scenario.trials.failed > 0;
}

/** What a rung costs whose task nobody did says nothing of the task. */
function measured(scenario: OnLadder, measure: LadderMeasure): number | null {
  if (!isSampled(scenario) || scenario.passRate === 0) return null;
  const { cost, virtualMs } = scenario;
  switch (measure) {
    case 'tokens':
      return cost.mean.llmTokens;
    case 'steps':
      return cost.mean.nodeExecutions;
    case 'calls':
      return cost.mean.toolCalls;
    case 'virtual_ms':
      return virtualMs.mean;
    // A clock that no two runs share: see `timing`.
    case 'real_ms':
      return null;
  }
}

/** Of sessions the limit of steps is the budget, and one whose agent gave no answer never came to it. */
function runaways({ stoppedBy, statuses, session }: SampledScenario, kind: LadderKind): number {
  if (session === undefined) return (stoppedBy.step_limit ?? 0) + statuses.timed_out;
  return statuses.timed_out + (kind === 'budget' ? statuses.errored : 0);
}
