import type { Pointer } from '../../source/place-tree.ts';
import type { AgentTarget } from '../../types/agent.ts';
import type { JsonObject } from '../../types/json.ts';
import type { AgentsModel } from '../../types/session.ts';
import { textAt, valueAt } from '../../workflow/raw-data.ts';
import type { Report } from '../../workflow/report.ts';
import { keyName } from '../contract/agent-parts.ts';
import { readTurns } from './read-agents.ts';
import { textsOf } from './read-outside-agent.ts';

/** Keys of an agent that is a model, which passk itself asks. */
const KEYS_OF_FUNCTIONS = ['format', 'api_key_env', 'temperature', 'max_tokens'];

/**
 * The model that an agent outside asks through passk; null: it asks its own. Tells where the agent would not find it, and keys
 * that say nothing.
 */
export function readAgentsModel(
  table: JsonObject,
  target: AgentTarget,
  { at, report }: { readonly at: Pointer; readonly report: Report },
): AgentsModel | null {
  const name = textAt(table, 'model') ?? null;
  for (const key of name === null ? [...KEYS_OF_FUNCTIONS, 'turns'] : KEYS_OF_FUNCTIONS) {
    if (valueAt(table, key) === undefined) continue;
    report({
      code: 'unused_key',
      message:
        key === 'turns'
          ? `"${keyName(at, key)}" has no effect: they are the answers of a "model" that the agent asks through passk.`
          : `"${keyName(at, key)}" has no effect: it is of agents with tools = "functions".`,
      at: [...at, key],
      part: 'key',
      ...(key === 'turns' && {
        hint: 'An agent that is canned stands below its task: [[tasks.agents]]. For one that asks a model: model = "…".',
      }),
    });
  }
  const namesPlace = textsOf(target).some((text) => text.includes('{model_url}'));
  if (name === null && namesPlace) {
    report({
      code: 'no_model',
      message: 'The agent is told where its model is ({model_url}), and nobody says which model that is.',
      at,
      hint: 'Name one of [models] or --model: model = "…"; or give it canned answers besides, as turns.',
    });
  }
  if (name !== null && !namesPlace && target.kind !== 'command') {
    report({
      code: 'model_untold',
      message: 'The agent is not told where its model is.',
      at: [...at, 'model'],
      hint: 'Put {model_url} into request_template, or into the endpoint, a header or a query parameter.',
    });
  }
  return name === null ? null : { name, turns: readTurns(table) };
}
