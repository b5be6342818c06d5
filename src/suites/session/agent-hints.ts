import { SCENARIO_KEYS } from '../../scenario/scenario-schema.ts';
import type { JsonObject } from '../../types/json.ts';
import { tablesAt } from '../../workflow/raw-data.ts';
import type { PlacedHint } from '../with-hints.ts';
import { AGENT_SCENARIO_KEYS, CANNED_AGENT_KEYS, OWN_AGENT_KEYS } from './session-schema.ts';

const HINT = 'Scenarios with a workflow have it. What a user wants of an agent stands under [user].';

/** What helps where a file with one agent has keys that only scenarios with a workflow have. */
export function agentHints(data: JsonObject): readonly PlacedHint[] {
  return Object.keys(data)
    .filter((key) => SCENARIO_KEYS.has(key) && !AGENT_SCENARIO_KEYS.has(key))
    .map((key) => ({ place: [key], part: 'key', hint: HINT }));
}

const OWN_HINT =
  'Agents of a task have canned answers. One of your own stands under [[agents]] at the top of the file.';

/** What helps where an agent of a task says where it is found, as only those of the whole file do. */
export function taskAgentHints(data: JsonObject): readonly PlacedHint[] {
  return tablesAt(data, 'tasks').flatMap(({ index, table }) =>
    tablesAt(table, 'agents').flatMap(({ index: place, table: agent }): readonly PlacedHint[] => {
      const keys = Object.keys(agent).filter((key) => OWN_AGENT_KEYS.has(key) && !CANNED_AGENT_KEYS.has(key));
      const at = ['tasks', index, 'agents', place];
      if (keys.length === 0) return [];
      return [
        { place: at, hint: OWN_HINT },
        ...keys.map((key): PlacedHint => ({ place: [...at, key], part: 'key', hint: OWN_HINT })),
      ];
    }),
  );
}
