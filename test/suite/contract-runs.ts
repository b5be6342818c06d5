import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ContractReport } from '../../src/types/reports/contract-report.ts';
import type { SuiteReport } from '../../src/types/reports/report.ts';

/** Does something in a folder that holds exactly these files; the folder is gone afterwards. */
export async function inFolder<T>(
  files: Readonly<Record<string, string>>,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(path.join(tmpdir(), 'passk-contracts-'));
  try {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      writeFileSync(path.join(folder, name), text);
    }
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The contracts of a report. */
export function contractsOf({ results }: SuiteReport): readonly ContractReport[] {
  return results.filter((one) => one.kind === 'contract');
}

/** The only contract of a report. */
export function onlyContract(report: SuiteReport): ContractReport {
  const contracts = contractsOf(report);
  const [one, ...others] = contracts;
  if (one === undefined || others.length > 0) throw new Error(`The report holds ${contracts.length} contracts.`);
  return one;
}

/** A row of letters for each invariant: P passed, F failed, - not applicable, ? inconclusive, ! broken. */
export function matrixOf({ invariants, columns, cells }: ContractReport): readonly string[] {
  const letters = { passed: 'P', failed: 'F', not_applicable: '-', inconclusive: '?', broken: '!' } as const;
  return invariants.map((_, row) =>
    cells
      .slice(row * columns.length, (row + 1) * columns.length)
      .map(({ state }) => letters[state])
      .join(''),
  );
}
