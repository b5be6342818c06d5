import { MAX_VALUE_BYTES } from '../../engine/value-bytes.ts';
import type { WorldTool } from '../../plugin/world-module.ts';
import type { Json, JsonObject } from '../../types/json.ts';
import type { DeclaredTool } from '../../types/sessions/declared-world.ts';
import { messageOf } from '../../values/message-of.ts';
import { plainCopy } from '../../values/plain-json.ts';
import type { SchemaCompiler } from '../../engine/json-schema.ts';
import { copyOf } from '../tool-calls.ts';
import { MOST_STATE_BYTES } from './declared-world.ts';
import type { OpenWorld, World } from './open-world.ts';
import { invalid, type ToolReply, unknownTool } from './tool-reply.ts';
import { WorldError } from './state-place.ts';

/** A tool as agents see it, and what it does. */
export interface CodedTool {
  readonly tool: DeclaredTool;
  readonly run: WorldTool['run'];
}

interface CompiledTool extends CodedTool {
  readonly violations: (args: Json) => readonly string[];
}

/**
 * A world whose tools are code of the user. Each call has copies of state and arguments to itself, and what it makes of them is
 * copied and looked at, so that whatever it keeps, or does later, reaches no state.
 */
export function codedWorld(state: JsonObject, coded: readonly CodedTool[], compileSchema: SchemaCompiler): World {
  const tools = new Map(
    coded.map((one): [string, CompiledTool] => [
      one.tool.name,
      { ...one, violations: compileSchema(one.tool.parameters) },
    ]),
  );
  return { open: () => new CodedWorldInSession(state, tools) };
}

class CodedWorldInSession implements OpenWorld {
  state: JsonObject;
  private readonly tools: ReadonlyMap<string, CompiledTool>;

  constructor(state: JsonObject, tools: ReadonlyMap<string, CompiledTool>) {
    this.state = state;
    this.tools = tools;
  }

  call(name: string, args: Json): ToolReply {
    const tool = this.tools.get(name);
    if (tool === undefined) {
      return invalid(
        unknownTool(
          name,
          [...this.tools.values()].map((one) => one.tool),
        ),
      );
    }
    const [first] = tool.violations(args);
    if (first !== undefined) return invalid(`The arguments of ${name} do not fit: ${first}.`);
    const state = copyOf(this.state);
    let output: unknown;
    try {
      // The schema says that they are an object.
      output = tool.run(state, copyOf(args) as JsonObject);
    } catch (error) {
      const message = messageOf(error);
      if (!isToolError(error)) throw new WorldError(`The tool ${quoted(name)} failed: ${message}`);
      if (message.length > MAX_VALUE_BYTES) throw new WorldError(`What the tool ${quoted(name)} throws is too long.`);
      return { result: null, problem: message, isValid: true };
    }
    if (isThenable(output)) throw new WorldError(`The tool ${quoted(name)} gave a promise: it must answer at once.`);
    const result = plain(output ?? null, MAX_VALUE_BYTES, `What the tool ${quoted(name)} gives`);
    this.state = plain(state, MOST_STATE_BYTES, `The state after the tool ${quoted(name)}`) as JsonObject;
    return { result, problem: null, isValid: true };
  }
}

function plain(value: unknown, maxLength: number, what: string): Json {
  const copy = plainCopy(value, { maxLength, leavesOutUndefined: true });
  if (copy.ok) return copy.value;
  throw new WorldError(`${what} is no plain data, or too large: ${copy.reason}.`);
}

/** By its name: a module may have the class from another copy of the package. */
function isToolError(error: unknown): boolean {
  return error instanceof Error && error.name === 'ToolError';
}

function isThenable(value: unknown): boolean {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
}

function quoted(name: string): string {
  return JSON.stringify(name);
}
