import type { Contract } from '../../types/contract.ts';
import { lowestDisobeying } from './cell-evidence.ts';
import type { ContractPartResult } from './part-result.ts';

/** A trial whose answers a cell is shown with. */
export interface WantedPartTrial {
  readonly part: ContractPartResult;
  readonly trial: number;
  /** True: a red cell rests on it; false: it is an example of a green one. */
  readonly isEvidence: boolean;
}

/** The trials that cells are shown with, each once: those of red cells first. */
export function wantedTrials(
  contracts: readonly Contract[],
  parts: readonly ContractPartResult[],
): readonly WantedPartTrial[] {
  const disobeying = disobeyingTrials(contracts, parts);
  const first = new Set(disobeying.filter(({ trial }) => trial === 0).map(({ part }) => part));
  const examples = parts.filter((part) => part.report.trials.passed > 0 && !first.has(part));
  return [...disobeying, ...examples.map((part) => ({ part, trial: 0, isEvidence: false }))];
}

function disobeyingTrials(
  contracts: readonly Contract[],
  parts: readonly ContractPartResult[],
): readonly WantedPartTrial[] {
  const wanted: WantedPartTrial[] = [];
  const trialsByPart = new Map<ContractPartResult, Set<number>>();
  for (const { name, invariants, matrix } of contracts) {
    const contractParts = parts.filter(({ of }) => of === name);
    for (const { id } of invariants) {
      for (const column of matrix) {
        const cell = contractParts.filter((part) => part.column === column.name && part.judged.includes(id));
        const lowest = lowestDisobeying(cell, id);
        if (lowest === null || trialsByPart.get(lowest.part)?.has(lowest.trial) === true) continue;
        trialsByPart.set(lowest.part, (trialsByPart.get(lowest.part) ?? new Set()).add(lowest.trial));
        wanted.push({ ...lowest, isEvidence: true });
      }
    }
  }
  return wanted;
}
