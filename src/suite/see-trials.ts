import type { PartTrial } from '../suites/contract/part-result.ts';
import { BuiltInInspector } from '../pool/inspect-built-in.ts';
import type { InspectOptions } from '../pool/inspect-in-worker.ts';
import { ThreadTurns } from '../pool/thread-turns.ts';
import type { ScenarioPlan } from '../types/plan.ts';
import type { InspectedTrial } from '../trial/program.ts';
import { firedFaults } from '../trial/record/fired-faults.ts';
import { recordAnswers } from './part-answers.ts';

export interface WantedTrial {
  readonly plan: ScenarioPlan;
  readonly trial: number;
}

/** Trials that may run here, run again one by one, with what they answered; in the order given. */
export async function seeTrials(
  wanted: readonly WantedTrial[],
  options: InspectOptions,
): Promise<readonly PartTrial[]> {
  const inspectors = new Map<number, BuiltInInspector>();
  const turns = new ThreadTurns();
  const seen: PartTrial[] = [];
  for (const { plan, trial } of wanted) {
    const inspector = inspectors.get(plan.index) ?? new BuiltInInspector(plan, options);
    inspectors.set(plan.index, inspector);
    seen.push(seenTrial(await inspector.inspect(trial)));
    if (turns.isOver()) await turns.next();
  }
  return seen;
}

function seenTrial({ result: { trial, findings }, record }: InspectedTrial): PartTrial {
  return { trial, findings, answers: recordAnswers(record), fired: firedFaults(record) };
}
