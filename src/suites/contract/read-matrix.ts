import type { Pointer } from '../../source/place-tree.ts';
import type { Chaos } from '../../types/chaos.ts';
import type { ChaosScenario } from '../../types/contract.ts';
import type { JsonObject } from '../../types/json.ts';
import { tablesAt, textAt, valueAt } from '../../workflow/raw-data.ts';
import { NO_CHAOS, readChaos, stackChaos } from './read-chaos.ts';
import { requiredText } from '../../workflow/required-values.ts';
import type { Reading } from './reading.ts';

/** The column of a contract that has no matrix. */
export const CALM: ChaosScenario = { name: 'no-chaos', ...NO_CHAOS };

/** The columns under `chaos_matrix`, each on top of `below`. */
export function readMatrix(holder: JsonObject, at: Pointer, reading: Reading, below: Chaos): readonly ChaosScenario[] {
  const seen = new Set<string>();
  return tablesAt(holder, 'chaos_matrix').map(({ index, table }) => {
    const place = [...at, 'chaos_matrix', index];
    const profile = textAt(table, 'profile');
    const name =
      profile !== undefined && valueAt(table, 'name') === undefined
        ? profile
        : requiredText(table, 'name', place, reading.report, 'Reports name columns of the matrix by their name.');
    if (name !== '' && seen.has(name)) {
      reading.report({
        code: 'duplicate_id',
        message: `Column name "${name}" is used again.`,
        at: valueAt(table, 'name') === undefined ? [...place, 'profile'] : [...place, 'name'],
        hint: 'Give each column of the matrix a name of its own.',
      });
    }
    seen.add(name);
    return { name, ...stackChaos(below, readBlock(table, place, reading)) };
  });
}

/** What a table with chaos says, its profile first. */
export function readBlock(table: JsonObject, at: Pointer, { profiles, report }: Reading): Chaos {
  const chaos = readChaos(table, at, report);
  const profile = textAt(table, 'profile');
  return profile === undefined ? chaos : stackChaos(profiles.get(profile) ?? NO_CHAOS, chaos);
}
