import type { PartTrial } from '../contract/part-result.ts';
import { BuiltInInspector } from '../pool/inspect-built-in.ts';
import type { InspectOptions } from '../pool/inspect-in-worker.ts';
import { ThreadTurns } from '../pool/thread-turns.ts';
import type { ScenarioPlan } from '../types/plan.ts';
import type { TrialRecord } from '../types/record.ts';
import type { InspectedTrial } from '../trial/program.ts';
import { outcomeAnswers } from './part-answers.ts';

export interface WantedTrial {
  readonly plan: ScenarioPlan;
  readonly trial: number;
}

/** Whether a trial can be run again here, anywhere and at any time, with the same result: no code of the user is called. */
export function isRepeatable({ traits }: ScenarioPlan): boolean {
  return traits.repeatable && traits.place === 'here';
}

/** Repeatable trials, run again one by one, with what they answered; in the order given. */
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
    seen.push(failureOf(plan, await inspector.inspect(trial)));
    if (turns.isOver()) await turns.next();
  }
  return seen;
}

function failureOf(plan: ScenarioPlan, { result, record }: InspectedTrial): PartTrial {
  const { trial, findings, outcome } = result;
  return { trial, findings, answers: outcome === null ? [] : outcomeAnswers(plan, outcome), fired: firedIn(record) };
}

function firedIn({ struck }: TrialRecord): readonly string[] {
  return (struck ?? []).flatMap(({ fault, fired }) => (fired > 0 ? [fault] : []));
}
