import { ToolError } from '../plugin/session-agent.ts';
import type { Json } from '../types/json.ts';
import { isJsonArray, isJsonObject } from '../values/is-json.ts';
import { plainCopy } from '../values/plain-json.ts';
import { setOwn } from '../values/set-own.ts';
import type { Tools } from './agent-moves.ts';
import { WorldError } from './world/state-place.ts';

/** Characters of the arguments of a call. */
const MOST_CHARACTERS = 1024 * 1024;

/** Calls that code of others makes, whose arguments may be anything. */
export class ToolCalls {
  /** Where the world itself was wrong first, which is no failure of the agent, whatever it does with the error. */
  broken: WorldError | null = null;

  /** What a call gives, for the agent to keep. Throws `ToolError` with what the agent is told went wrong. */
  execute(tools: Tools, name: string, written: unknown): Json {
    const args = plainCopy(written ?? {}, { maxLength: MOST_CHARACTERS, leavesOutUndefined: true });
    if (!args.ok) throw new ToolError(`The arguments of ${name} are no JSON: ${args.reason}.`);
    try {
      const done = tools.call([{ name, args: args.value }])?.[0];
      if (done === undefined) throw new ToolError('The session is over: no more calls are carried out.');
      if (done.problem !== null) throw new ToolError(done.problem);
      // What the agent does to it must not reach the world.
      return copyOf(done.result);
    } catch (error) {
      if (error instanceof WorldError) this.broken ??= error;
      throw error;
    }
  }
}

/** A copy of plain data, in a fraction of what `structuredClone` takes. */
export function copyOf<T extends Json>(value: T): T;
export function copyOf(value: Json): Json {
  if (isJsonArray(value)) return value.map((part) => copyOf(part));
  if (!isJsonObject(value)) return value;
  const copy: Record<string, Json> = {};
  for (const key of Object.keys(value)) setOwn(copy, key, copyOf(value[key] as Json));
  return copy;
}
