import type { Contract } from '../../types/contract.ts';
import type { LoadedScenario, Scenario } from '../../types/scenario.ts';
import type { ContractFile } from './read-contract-file.ts';

/** What the files of a suite gave. */
export interface SuiteContracts {
  readonly contractFiles: readonly ContractFile[];
  readonly rows: readonly LoadedScenario[];
}

/**
 * Contracts that have one name in several files get the file behind it, in brackets, and so do the scenarios that they are
 * run as: no two contracts of a suite have the same name. What is drawn still follows from the names in the file, so a
 * contract has the results that it has alone.
 */
export function tellApart(suite: SuiteContracts): SuiteContracts {
  const names = uniqueNames(suite.contractFiles.flatMap(({ contracts }) => contracts));
  if (names.size === 0) return suite;
  return {
    contractFiles: suite.contractFiles.map((file) => ({
      ...file,
      contracts: file.contracts.map((contract) => {
        const name = names.get(keyOf(contract));
        return name === undefined ? contract : Object.freeze({ ...contract, name });
      }),
    })),
    rows: suite.rows.map((row) => (row.ok ? withUniqueName(row, names) : row)),
  };
}

/** The new names of those that need one. */
function uniqueNames(contracts: readonly Contract[]): ReadonlyMap<string, string> {
  const names = new Map(contracts.map((contract) => [keyOf(contract), contract.name]));
  const renamed = new Map<string, string>();
  // A new name may be the one that a third contract was given by its author.
  for (let shared = sharedNames(names); shared.size > 0; shared = sharedNames(names)) {
    for (const contract of contracts) {
      const key = keyOf(contract);
      const name = names.get(key) ?? contract.name;
      if (!shared.has(name)) continue;
      names.set(key, `${name} (${contract.file})`);
      renamed.set(key, `${name} (${contract.file})`);
    }
  }
  return renamed;
}

function sharedNames(names: ReadonlyMap<string, string>): ReadonlySet<string> {
  const seen = new Set<string>();
  const shared = new Set<string>();
  for (const name of names.values()) (seen.has(name) ? shared : seen).add(name);
  return shared;
}

function withUniqueName(
  row: LoadedScenario & { readonly ok: true },
  names: ReadonlyMap<string, string>,
): LoadedScenario {
  const { scenario } = row;
  const { part } = scenario;
  const contract = part && names.get(keyOf({ file: scenario.file, name: part.of }));
  if (part === undefined || contract === undefined) return row;
  const renamed: Scenario = {
    ...scenario,
    name: contract + scenario.name.slice(part.of.length),
    part: { ...part, of: contract },
    namesInFile: { scenario: scenario.name, contract: part.of },
  };
  return { ...row, scenario: Object.freeze(renamed) };
}

function keyOf({ file, name }: Pick<Contract, 'file' | 'name'>): string {
  return JSON.stringify([file, name]);
}
