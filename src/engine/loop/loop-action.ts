import type { Json } from '../../types/json.ts';
import { isJsonObject } from '../../values/is-json.ts';
import { parseJsonText } from '../parse-json-text.ts';

/** What a model decided to do in one turn of an agent loop. */
export type LoopAction =
  | { readonly kind: 'final'; readonly result: Json }
  | { readonly kind: 'tool'; readonly tool: string; readonly args: Json }
  | { readonly kind: 'malformed'; readonly problem: string };

/** Reads the first JSON object of a reply; prose and code fences around it are ignored. */
export function readLoopAction(content: string): LoopAction {
  const text = firstObject(content);
  if (text === null) return malformed('it holds no complete JSON object');
  const parsed = parseJsonText(text);
  if (!parsed.ok) return malformed(parsed.message);
  const action = entry(parsed.value, 'action');
  if (action === 'final') return { kind: 'final', result: entry(parsed.value, 'result') ?? null };
  if (action !== 'tool') return malformed('"action" must be "tool" or "final"');
  const tool = entry(parsed.value, 'tool');
  if (typeof tool !== 'string') return malformed('"tool" must be the name of a tool');
  const args = entry(parsed.value, 'args');
  return { kind: 'tool', tool, args: args === undefined ? {} : args };
}

function malformed(problem: string): LoopAction {
  return { kind: 'malformed', problem };
}

function entry(value: Json, key: string): Json | undefined {
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** From the first `{` to the `}` that balances it, braces inside strings not counted; null: it is never balanced. */
function firstObject(content: string): string | null {
  const start = content.indexOf('{');
  if (start < 0) return null;
  let depth = 0;
  let inString = false;
  for (let i = start; i < content.length; i++) {
    const char = content[i];
    if (inString) {
      if (char === '\\') i++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '{') depth++;
    else if (char === '}' && --depth === 0) return content.slice(start, i + 1);
  }
  return null;
}
