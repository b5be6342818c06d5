import type { ImportedRun } from '../../plugin/importer-type.ts';
import type { TrialOutcome } from '../../values/passk-attributes.ts';

/** Trials that one file may count; more are better looked at in the report of the run. */
export const MOST_TRIALS = 10_000_000;

interface CountedFacts {
  readonly outcome: TrialOutcome;
  /** What is told of one that is broken. */
  readonly error: string;
  readonly unsaid: Readonly<Record<string, string>>;
}

/** A trial of passk's of which nothing is known but its task and what became of it. */
export function countedRun(task: string, { outcome, error, unsaid }: CountedFacts): ImportedRun {
  const isBroken = outcome === 'broken';
  return {
    task,
    scores: isBroken ? [] : [{ name: 'passk', value: outcome === 'passed' }],
    ...(isBroken && { error }),
    unsaid,
  };
}
