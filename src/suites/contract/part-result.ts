import type { ContractPart } from '../../types/contract.ts';
import type { Finding } from '../../types/reports/finding.ts';
import type { SampledScenario } from '../../types/reports/scenario-report.ts';
import type { FaultCount } from '../../types/scenarios/failure-report.ts';

/** What one part of a contract gave, as the fold takes it. */
export interface ContractPartResult extends ContractPart {
  /** What the fold looks at; of a part that did not run there are no checks and no failures. */
  readonly report: Pick<
    SampledScenario,
    'name' | 'trials' | 'checks' | 'failureClasses' | 'failures' | 'chaos' | 'calls' | 'rulings' | 'judges'
  >;
  /** Ids of the invariants that were judged on it. */
  readonly judged: readonly string[];
  /** Trials as they were seen, in any order: disobeying ones, and of a part that can be run again one that may obey. */
  readonly seen: readonly PartTrial[];
  /** The command that repeats a trial; null: none does. */
  readonly replay: (trial: number) => string | null;
}

/** A trial with what was answered. */
export interface PartTrial {
  readonly trial: number;
  /** Failed checks only; `at` is the prompt where there were several. */
  readonly findings: readonly Finding[];
  /** One for each prompt; `text` null: there was no answer. */
  readonly answers: readonly { readonly prompt: string; readonly text: string | null }[];
  readonly fired: readonly string[];
}

/** What every declared fault did over all trials of these parts, in the order of the first part. */
export function firedIn(parts: readonly Pick<ContractPartResult, 'report'>[]): readonly FaultCount[] {
  const sums = new Map<string, FaultCount>();
  for (const count of parts.flatMap(({ report }) => report.chaos ?? [])) {
    const sum = sums.get(count.fault) ?? { ...count, fired: 0, trials: 0 };
    sums.set(count.fault, { ...sum, fired: sum.fired + count.fired, trials: sum.trials + count.trials });
  }
  return [...sums.values()];
}
