import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { PasskError } from '../../errors.ts';
import type { JsonObject } from '../../types/json.ts';
import { parseJson } from '../../values/exact-json.ts';
import { isJsonArray, isJsonObject } from '../../values/is-json.ts';

/**
 * What tools are called and take, by name: a list of them, or an object with `tools`, as OpenAI, Anthropic and MCP write it.
 * Rejects with `INPUT` for anything else.
 */
export async function readToolDefinitions(file: string, cwd: string): Promise<ReadonlyMap<string, JsonObject>> {
  const value = await readFile(path.resolve(cwd, file), 'utf8')
    .then((text) => parseJson(text))
    .catch((cause: unknown) => {
      throw new PasskError('INPUT', `${file} is no JSON that can be read.`, { hint: String(cause), cause });
    });
  const list = isJsonObject(value) ? value['tools'] : value;
  const tools = isJsonArray(list) ? list.map((entry) => definitionOf(entry as JsonObject)) : [];
  if (tools.length === 0 || tools.includes(null)) {
    const which = tools.indexOf(null);
    throw new PasskError('INPUT', `${file} has ${which < 0 ? 'no tools' : `no name in its tool ${which + 1}`}.`, {
      hint: 'Write a list of {"name": …, "description": …, "parameters": …}.',
    });
  }
  return new Map(tools.flatMap((tool) => (tool === null ? [] : [[tool.name, tool as unknown as JsonObject]])));
}

function definitionOf(entry: JsonObject): { readonly name: string } | null {
  const inner = isJsonObject(entry) && isJsonObject(entry['function']) ? entry['function'] : entry;
  if (!isJsonObject(inner) || typeof inner['name'] !== 'string' || inner['name'] === '') return null;
  const { name, description } = inner;
  const annotations = inner['annotations'];
  const parameters = inner['parameters'] ?? inner['inputSchema'] ?? inner['input_schema'];
  return {
    name,
    ...(typeof description === 'string' && { description }),
    ...(isJsonObject(parameters) && { parameters }),
    // MCP's word for it.
    ...(isJsonObject(annotations) && annotations['readOnlyHint'] === true && { read_only: true }),
  };
}
