import type { Contract } from '../../types/contract.ts';
import { lowestDisobeying } from './cell-evidence.ts';
import type { ContractPartResult } from './part-result.ts';

/** A trial whose answers a cell is shown with. */
export interface WantedPartTrial {
  readonly part: ContractPartResult;
  readonly trial: number;
  /** The rules whose red cells rest on it; []: it is an example of green ones. */
  readonly evidenceOf: readonly string[];
}

/** The trials that cells are shown with, each once: those of red cells first. */
export function wantedTrials(
  contracts: readonly Contract[],
  parts: readonly ContractPartResult[],
): readonly WantedPartTrial[] {
  const disobeying = disobeyingTrials(contracts, parts);
  const first = new Set(disobeying.filter(({ trial }) => trial === 0).map(({ part }) => part));
  const examples = parts.filter((part) => part.report.trials.passed > 0 && !first.has(part));
  return [...disobeying, ...examples.map((part) => ({ part, trial: 0, evidenceOf: [] }))];
}

function disobeyingTrials(
  contracts: readonly Contract[],
  parts: readonly ContractPartResult[],
): readonly WantedPartTrial[] {
  const rulesByTrial = new Map<ContractPartResult, Map<number, string[]>>();
  const wanted: WantedPartTrial[] = [];
  for (const { name, invariants, matrix } of contracts) {
    const contractParts = parts.filter(({ of }) => of === name);
    for (const { id } of invariants) {
      for (const column of matrix) {
        const cell = contractParts.filter((part) => part.column === column.name && part.judged.includes(id));
        const lowest = lowestDisobeying(cell, id);
        if (lowest === null) continue;
        const { part, trial } = lowest;
        const ofPart = rulesByTrial.get(part) ?? new Map<number, string[]>();
        const rules = ofPart.get(trial) ?? [];
        if (rules.length === 0) wanted.push({ part, trial, evidenceOf: rules });
        rules.push(id);
        rulesByTrial.set(part, ofPart.set(trial, rules));
      }
    }
  }
  return wanted;
}
