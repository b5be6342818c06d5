import type { Answer } from '../../plugin/request.ts';
import type { Json, JsonObject } from '../../types/json.ts';
import { isJsonArray, isJsonObject } from '../../values/is-json.ts';
import { DEFAULT_LIMITS } from '../world-limits.ts';
import { valueAnswer } from '../answers.ts';
import { isTooDeep } from './mcp-answer.ts';

/** What a server lists, beside the tools that mocks answer for; a text: why it cannot be offered. */
export function toolListAnswer(listed: unknown, mocked: Answer, scrub: (text: string) => string): Answer | string {
  if (!Array.isArray(listed)) return 'listed no tools';
  if (isTooDeep(listed)) return 'listed tools whose schemas are nested too deep';
  // Parsed again: nothing of the protocol's objects is shared.
  const text = scrub(JSON.stringify(listed.flatMap(declared)));
  if (text.length > DEFAULT_LIMITS.valueBytes) return `listed tools of more than ${DEFAULT_LIMITS.valueBytes} bytes`;
  const tools = JSON.parse(text) as readonly JsonObject[];
  const names = new Set(tools.map(({ name }) => name));
  const { reply } = mocked;
  const others = reply.kind === 'value' && isJsonObject(reply.value) ? reply.value['tools'] : [];
  const more = isJsonArray(others as Json)
    ? (others as readonly JsonObject[]).filter(({ name }) => !names.has(name))
    : [];
  return valueAnswer({ tools: [...tools, ...more] }, 'effect');
}

/** A declaration as models take them; none for what has no name. */
function declared(tool: unknown): readonly JsonObject[] {
  const { name, description, inputSchema } = (tool ?? {}) as Readonly<Record<string, Json>>;
  if (typeof name !== 'string') return [];
  const parameters = { ...(isJsonObject(inputSchema ?? null) ? (inputSchema as JsonObject) : {}), type: 'object' };
  return [{ name, ...(typeof description === 'string' && { description }), parameters }];
}
