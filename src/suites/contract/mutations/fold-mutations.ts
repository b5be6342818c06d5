import { clusteredInterval } from '../../../stats/clustered-interval.ts';
import type { Contract } from '../../../types/contract.ts';
import type { Robustness, RobustnessReport } from '../../../types/mutations/mutation.ts';
import { keepsMeaning } from '../../mutations/fold-robustness.ts';
import type { ContractPartResult } from '../part-result.ts';
import { UNMUTATED } from './read-contract-mutations.ts';

type Figures = RobustnessReport['unmutated'];

/** What mutated prompts did to the subject of a contract, by type; null: the contract has none. */
export function foldMutations({ mutations }: Contract, parts: readonly ContractPartResult[]): RobustnessReport | null {
  if (mutations === undefined) return null;
  const inColumn = (name: string): readonly ContractPartResult[] => parts.filter(({ column }) => column === name);
  const types = mutations.mutants.map(({ type, texts, unchanged, repeated }): Robustness => {
    const figures = figuresOf(inColumn(type));
    const same = repeated !== undefined && { repeated };
    return { type, keepsMeaning: keepsMeaning(type), ...figures, mutants: texts.length, unchanged, ...same };
  });
  return { unmutated: figuresOf(inColumn(UNMUTATED)), types };
}

/** 100 × Σ weight × passed / Σ weight × trials over all types; null: nothing was judged. */
export function robustnessScore({ types }: RobustnessReport, weights: readonly number[]): number | null {
  let [passed, judged] = [0, 0];
  for (const [at, one] of types.entries()) {
    const weight = weights[at] ?? 1;
    passed += weight * one.passed;
    judged += weight * one.trials;
  }
  return judged === 0 ? null : (100 * passed) / judged;
}

/** Each part is one prompt. The interval is for more such prompts, since trials of one are alike. */
function figuresOf(parts: readonly ContractPartResult[]): Figures {
  const clusters = parts.map(({ report }) => ({
    trials: report.trials.passed + report.trials.failed,
    passed: report.trials.passed,
  }));
  const trials = clusters.reduce((sum, one) => sum + one.trials, 0);
  const passed = clusters.reduce((sum, one) => sum + one.passed, 0);
  return {
    trials,
    passed,
    rate: trials === 0 ? null : passed / trials,
    interval: clusteredInterval(clusters)?.interval ?? null,
    broken: parts.reduce((sum, { report }) => sum + report.trials.broken, 0),
  };
}
