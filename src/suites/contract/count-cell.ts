import type { ContractPartResult } from './part-result.ts';

/** Trials of one cell, over all its prompts. */
export interface CellCounts {
  /** Those that ran to an end. */
  readonly trials: number;
  /** Of these, those in which the rule was obeyed or disobeyed. */
  readonly judged: number;
  readonly obeyed: number;
  /** Of the judged ones, those that a fault struck. */
  readonly struck: number;
  readonly obeyedStruck: number;
  /** Nobody can tell whether the rule was obeyed in these. */
  readonly undecided: number;
  /** Faults came before the subject was asked in these. */
  readonly unasked: number;
  /** Trials that broke, and trials that did not run. */
  readonly broken: number;
  readonly missing: number;
  /** Both together. */
  readonly unknown: number;
}

/** Adds up what was counted of one invariant. Parts without rulings judged it in each trial, and nothing struck there. */
export function countCell(parts: readonly ContractPartResult[], id: string): CellCounts {
  const sums = {
    trials: 0,
    judged: 0,
    obeyed: 0,
    struck: 0,
    obeyedStruck: 0,
    undecided: 0,
    unasked: 0,
    broken: 0,
    missing: 0,
  };
  for (const { report } of parts) {
    const { requested, passed, failed, broken } = report.trials;
    const trials = passed + failed;
    const ruling = report.rulings?.find(({ check }) => check === id);
    const judged = ruling?.judged ?? trials;
    const disobeyed = report.checks.find(({ check }) => check === id)?.failed ?? 0;
    sums.trials += trials;
    sums.judged += judged;
    sums.obeyed += judged - disobeyed;
    sums.struck += ruling?.struck ?? 0;
    sums.obeyedStruck += (ruling?.struck ?? 0) - (ruling?.disobeyedStruck ?? 0);
    sums.undecided += ruling?.undecided ?? 0;
    sums.unasked += ruling?.unasked ?? 0;
    sums.broken += broken;
    sums.missing += requested - trials - broken;
  }
  return { ...sums, unknown: sums.broken + sums.missing };
}
