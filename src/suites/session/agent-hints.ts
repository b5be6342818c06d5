import { SCENARIO_KEYS } from '../../scenario/scenario-schema.ts';
import type { JsonObject } from '../../types/json.ts';
import type { PlacedHint } from '../with-hints.ts';
import { AGENT_SCENARIO_KEYS } from './session-schema.ts';

const HINT = 'Scenarios with a workflow have it. What a user wants of an agent stands under [user].';

/** What helps where a file with one agent has keys that only scenarios with a workflow have. */
export function agentHints(data: JsonObject): readonly PlacedHint[] {
  return Object.keys(data)
    .filter((key) => SCENARIO_KEYS.has(key) && !AGENT_SCENARIO_KEYS.has(key))
    .map((key) => ({ place: [key], part: 'key', hint: HINT }));
}
