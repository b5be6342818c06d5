import { COUNTERS, type CounterName } from '../types/trial.ts';
import { COUNTER } from './trial-state.ts';

/** Counter values by name, divided by `trials`; absent values are 0. */
export function namedCounters(values: ArrayLike<number>, trials = 1): Readonly<Record<CounterName, number>> {
  const value = (counter: number): number => (values[counter] ?? 0) / trials;
  // Written out, it is made in one piece: name by name it would take ten times as long.
  return {
    llmCalls: value(COUNTER.llmCalls),
    llmTokens: value(COUNTER.llmTokens),
    promptTokens: value(COUNTER.promptTokens),
    completionTokens: value(COUNTER.completionTokens),
    nodeExecutions: value(COUNTER.nodeExecutions),
    nodeFailures: value(COUNTER.nodeFailures),
    policyDenials: value(COUNTER.policyDenials),
    retries: value(COUNTER.retries),
    repairs: value(COUNTER.repairs),
    toolCalls: value(COUNTER.toolCalls),
    writtenBytes: value(COUNTER.writtenBytes),
    faults: value(COUNTER.faults),
    workflowStarts: value(COUNTER.workflowStarts),
    workflowCompletions: value(COUNTER.workflowCompletions),
    workflowFailures: value(COUNTER.workflowFailures),
    workflowTimeouts: value(COUNTER.workflowTimeouts),
    workflowErrored: value(COUNTER.workflowErrored),
  };
}

/** The same where some are unknown, which are null. */
export function toldCounters(
  values: readonly (number | null)[],
  trials = 1,
): Readonly<Record<CounterName, number | null>> {
  const named = namedCounters(
    values.map((value) => value ?? 0),
    trials,
  );
  if (!values.includes(null)) return named;
  const untold = COUNTERS.flatMap((name, at) => (values[at] === null ? [[name, null] as const] : []));
  return { ...named, ...Object.fromEntries(untold) };
}
