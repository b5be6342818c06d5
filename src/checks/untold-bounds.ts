import type { CounterName } from '../types/trial.ts';
import type { Check, TrialView } from './check.ts';

/** A bound of which nobody can tell whether a trial keeps it. */
export interface UntoldBound {
  /** The position of its check. */
  readonly at: number;
  /** Why nobody can tell, and what to do. */
  readonly why: string;
}

/**
 * Bounds on tokens that are open because an answer of a model did not tell its tokens, in the order of the checks. What was
 * told decides where it is beyond a largest number, or reaches a smallest one.
 */
export function untoldBounds(checks: readonly Check[], view: TrialView): readonly UntoldBound[] {
  const backend = view.untoldBy ?? null;
  if (backend === null) return [];
  return checks.flatMap(({ name, plain }, at) => {
    if (plain?.kind !== 'bound' || !OF_ANSWERS.has(plain.counter)) return [];
    const sum = view.counter(plain.counter);
    const isDecided = sum > plain.most || (plain.most === Number.POSITIVE_INFINITY && sum >= plain.least);
    return isDecided ? [] : [{ at, why: whyUntold(name, backend) }];
  });
}

/** Counters of what answers of models tell. */
const OF_ANSWERS: ReadonlySet<CounterName> = new Set(['llmTokens', 'promptTokens', 'completionTokens']);

function whyUntold(name: string, backend: string): string {
  return `${name} cannot be checked: the model of the backend "${backend}" did not tell the tokens of an answer. Use one that tells its usage, or leave ${name} out.`;
}
