import type { Contract } from '../types/contract.ts';
import type { Issue } from '../types/issue.ts';

/** Problems that only show between files: contract names that are used twice. */
export function checkContracts(contracts: readonly Contract[]): readonly Issue[] {
  const files = new Map<string, string>();
  return contracts.flatMap(({ name, file }): readonly Issue[] => {
    const first = files.get(name);
    if (first === undefined) {
      files.set(name, file);
      return [];
    }
    return [
      {
        code: 'duplicate_contract_name',
        severity: 'error',
        message: `Contract name "${name}" is used by ${first} and by ${file}.`,
        at: { file, line: 1, column: 1 },
        hint: 'Give each contract a name of its own: reports and scores go by name.',
      },
    ];
  });
}
