import type { PartFailure } from '../contract/part-result.ts';
import { startClock } from '../pool/start-clock.ts';
import { buildProgram } from '../trial/build-program.ts';
import type { ScenarioPlan } from '../types/plan.ts';
import type { InspectedTrial, TrialProgram } from '../trial/program.ts';
import { partAnswers } from './part-answers.ts';

export interface WantedTrial {
  readonly plan: ScenarioPlan;
  readonly trial: number;
}

/** Whether a trial can be run again here, anywhere and at any time, with the same result: no code of the user is called. */
export function isRepeatable({ pure, userCode }: ScenarioPlan): boolean {
  return pure && !userCode;
}

/** Repeatable trials, run again one by one, with what they answered; in the order given. */
export async function seeTrials(wanted: readonly WantedTrial[]): Promise<readonly PartFailure[]> {
  const programs = new Map<number, TrialProgram>();
  const seen: PartFailure[] = [];
  for (const { plan, trial } of wanted) {
    const program = programs.get(plan.index) ?? (await repeatable(plan));
    programs.set(plan.index, program);
    seen.push({ ...failureOf(plan, await program.inspect(trial)), fired: firedIn(program, trial) });
  }
  return seen;
}

/** A pure program of built-in parts, ready to be run on this thread. */
export async function repeatable(plan: ScenarioPlan): Promise<TrialProgram> {
  return buildProgram(plan, { plugins: [], callHost: null, startClock, effects: null });
}

function failureOf(plan: ScenarioPlan, { result }: InspectedTrial): Omit<PartFailure, 'fired'> {
  const { trial, findings, outcome } = result;
  return { trial, findings, answers: outcome === null ? [] : partAnswers(plan, outcome) };
}

/** Which declared faults fire in a trial: what its counts say. */
function firedIn(program: TrialProgram, trial: number): readonly string[] {
  const tally = program.newTally();
  program.run(trial, trial + 1, tally);
  return program.info.faults.filter((_, at) => (tally.fired[at] ?? 0) > 0);
}
