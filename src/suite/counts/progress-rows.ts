import type { PartProgress, SuiteKind } from '../../suites/suite-kind.ts';
import type { RunPlan, ScenarioPlan } from '../../types/plan.ts';
import type { ProgressRow } from '../../types/progress.ts';
import { COUNTERS, STATUSES } from '../../types/trial.ts';
import type { DefinitionBase } from '../../types/suite-base.ts';
import { openKinds } from '../open-kinds.ts';
import type { RunCounts } from './run-counts.ts';

/** The lines of a run as far as it has come. `openQuestions`: questions that are asked now, by position in the plan. */
export type RowsOf = (counts: RunCounts, openQuestions: ReadonlyMap<number, number>) => readonly ProgressRow[];

const [ERRORED, TIMED_OUT, RETRIES] = [
  STATUSES.indexOf('errored'),
  STATUSES.indexOf('timed_out'),
  COUNTERS.indexOf('retries'),
];

/** Null: nothing in the run has a line of its own. */
export async function progressRows(
  plan: RunPlan,
  { kinds, definitions }: { readonly kinds: readonly SuiteKind[]; readonly definitions: readonly DefinitionBase[] },
): Promise<RowsOf | null> {
  const opened = await openKinds({ kinds, definitions, parts: [] });
  const shown = opened.flatMap(({ type, verbs, definitions: suiteDefinitions }) => {
    const plans = plan.scenarios.filter(({ scenario }) => scenario.part?.kind === type);
    return verbs.rows === undefined ? [] : [{ rows: verbs.rows, definitions: suiteDefinitions, plans }];
  });
  if (shown.length === 0) return null;
  return (counts, openQuestions) =>
    shown.flatMap(({ rows, definitions: suiteDefinitions, plans }) =>
      rows(
        suiteDefinitions,
        plans.map((one) => partProgress(one, counts, openQuestions)),
      ),
    );
}

function partProgress(plan: ScenarioPlan, counts: RunCounts, openQuestions: ReadonlyMap<number, number>): PartProgress {
  const tally = counts.tallyOf(plan.index);
  return {
    plan,
    passed: tally?.passed ?? 0,
    failed: tally?.failed ?? 0,
    broken: tally?.broken ?? 0,
    errored: tally?.statuses[ERRORED] ?? 0,
    timedOut: tally?.statuses[TIMED_OUT] ?? 0,
    retries: tally?.counters[RETRIES] ?? 0,
    running: openQuestions.get(plan.index) ?? 0,
  };
}
