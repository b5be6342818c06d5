import type { SchemaCompiler } from '../../engine/json-schema.ts';
import { compileValueTest, passes, testedText } from '../../matching/value-test.ts';
import { MAX_VALUE_BYTES, valueBytes } from '../../engine/value-bytes.ts';
import type { Json, JsonObject } from '../../types/json.ts';
import type { DeclaredTool, DeclaredWorld, WorldCondition, WorldPlace, WorldStep } from '../../types/session.ts';
import type { Strike } from '../../types/record.ts';
import type { ValueTest } from '../../types/value-test.ts';
import { deepEqual } from '../../values/deep-equal.ts';
import { isJsonArray, isJsonObject } from '../../values/is-json.ts';
import { selectSegments } from '../../values/select-path.ts';
import { countWork } from '../../values/work.ts';
import { compileFill, compileLookup } from './fill.ts';
import { invalid, type ToolReply, unknownTool } from './tool-reply.ts';
import { type Place, placeText, withEntry, withoutPlace, withValue, WorldError } from './state-place.ts';

/** A world in one session. */
export interface OpenWorld {
  /** What calls have made of it so far. */
  readonly state: Json;
  /** Declared faults that struck so far; absent: none is declared. */
  readonly struck?: readonly Strike[] | undefined;
  /** Throws `WorldError` where the world itself is wrong, or grows without end. */
  call(name: string, args: Json): ToolReply;
}

/** A world that any number of sessions may open. */
export interface World {
  open(): OpenWorld;
}

/** Bytes of a state as JSON, about; more is a database, and no world that is fresh for every trial. */
export const MOST_STATE_BYTES = 16 * 1024 * 1024;

/** Compiles a declared world. States are values that are never changed, so that a fresh one costs nothing. */
export function compileWorld({ state, tools }: DeclaredWorld, compileSchema: SchemaCompiler): World {
  const compiled = new Map(tools.map((tool) => [tool.name, compileTool(tool, compileSchema)]));
  const bytes = valueBytes(state, MOST_STATE_BYTES);
  const callOf = (name: string): ToolCall =>
    compiled.get(name) ?? ((before) => ({ state: before, grown: 0, ...invalid(unknownTool(name, tools)) }));
  return { open: () => new DeclaredWorldInSession({ state, bytes, callOf }) };
}

interface WorldParts {
  readonly state: Json;
  readonly bytes: number;
  readonly callOf: (name: string) => ToolCall;
}

class DeclaredWorldInSession implements OpenWorld {
  state: Json;
  /** At most so many bytes as JSON: what was overwritten is not taken off. */
  private bytes: number;
  private readonly callOf: WorldParts['callOf'];

  constructor({ state, bytes, callOf }: WorldParts) {
    this.state = state;
    this.bytes = bytes;
    this.callOf = callOf;
  }

  call(name: string, args: Json): ToolReply {
    const { state, grown, ...reply } = this.callOf(name)(this.state, args);
    this.state = state;
    this.bytes += grown;
    if (this.bytes > MOST_STATE_BYTES) this.bytes = valueBytes(state, MOST_STATE_BYTES);
    if (this.bytes > MOST_STATE_BYTES) throw new WorldError(`The state has grown beyond ${MOST_STATE_BYTES} bytes.`);
    return reply;
  }
}

/** `grown`: bytes that were put into the state, as JSON. */
type ToolCall = (state: Json, args: Json) => ToolReply & { readonly state: Json; readonly grown: number };

/** What a step sees and changes. */
interface Progress {
  state: Json;
  /** Arguments under `args`, and what earlier steps gave under their names. */
  readonly names: Record<string, Json>;
  /** What the last step gave. */
  last: Json;
  /** Bytes that were put into the state, as JSON. */
  grown: number;
}

/** Ends a call with a message for the agent. */
class Failure {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

type Step = (progress: Progress) => Failure | null;

function compileTool({ name, parameters, steps, result }: DeclaredTool, compileSchema: SchemaCompiler): ToolCall {
  const violations = compileSchema(parameters);
  const compiled = steps.map((step) => compileStep(step, compileSchema));
  const give = result === undefined ? null : compileFill(result);
  return (state, args) => {
    const [first] = violations(args);
    if (first !== undefined) return { state, grown: 0, ...invalid(`The arguments of ${name} do not fit: ${first}.`) };
    const progress: Progress = { state, names: { args }, last: null, grown: 0 };
    for (const step of compiled) {
      const failure = step(progress);
      // What earlier steps changed is undone: a call that fails has done nothing.
      if (failure !== null) return { state, grown: 0, result: null, problem: failure.message, isValid: true };
    }
    const result = give === null ? progress.last : give(progress.names);
    requireBounded(result, `what the tool ${JSON.stringify(name)} gives`);
    return { state: progress.state, grown: progress.grown, result, problem: null, isValid: true };
  };
}

function compileStep(step: WorldStep, compileSchema: SchemaCompiler): Step {
  const conditions = step.when.map((condition) => compileCondition(condition, compileSchema));
  const act = compileDoing(step);
  return (progress) => {
    countWork(10);
    return conditions.every((holds) => holds(progress)) ? act(progress) : null;
  };
}

function compileDoing(step: WorldStep): Step {
  switch (step.kind) {
    case 'fail': {
      const message = compileFill(step.message);
      return ({ names }) => new Failure(String(message(names)));
    }
    case 'get':
      return giving(step.at, step.as, (found) => found ?? null);
    case 'list': {
      const where = compileFill(step.where);
      return giving(step.at, step.as, (found, names) => {
        const wanted = where(names);
        return entriesOf(found).filter((entry) => isJsonObject(wanted) && hasAll(entry, wanted));
      });
    }
    case 'count':
      return giving(step.at, step.as, (found) => entriesOf(found).length);
    case 'compute':
      return computing(step);
    case 'set':
      return changing(step.at, step.value, withValue);
    case 'append':
      return changing(step.at, step.value, withEntry);
    case 'remove': {
      const placeOf = compilePlace(step.at);
      return (progress) => {
        progress.state = withoutPlace(progress.state, placeOf(progress.names));
        progress.last = null;
        return null;
      };
    }
  }
}

/** A step that looks at a place of the state. */
function giving(at: WorldPlace, as: string | null, give: (found: Json | undefined, names: JsonObject) => Json): Step {
  const placeOf = compilePlace(at);
  return (progress) => {
    const value = give(selectSegments(progress.state, placeOf(progress.names)), progress.names);
    progress.last = value;
    if (as !== null) progress.names[as] = value;
    return null;
  };
}

/** A step that changes a place of the state. */
function changing(at: WorldPlace, value: Json, change: (state: Json, place: Place, value: Json) => Json): Step {
  const placeOf = compilePlace(at);
  const fill = compileFill(value);
  return (progress) => {
    const filled = fill(progress.names);
    progress.grown += requireBounded(filled, `what is put at ${placeText(at.map(String))}`);
    progress.state = change(progress.state, placeOf(progress.names), filled);
    progress.last = filled;
    return null;
  };
}

function computing({ as, value, times, plus, minus }: Extract<WorldStep, { readonly kind: 'compute' }>): Step {
  const [base, factor, more, less] = [value, times, plus, minus].map(compileFill) as [Num, Num, Num, Num];
  const isNumber = times !== 1 || plus !== 0 || minus !== 0;
  return (progress) => {
    const { names } = progress;
    const number = (fill: Num): number => numberOf(fill(names), as);
    const computed = isNumber ? number(base) * number(factor) + number(more) - number(less) : base(names);
    requireBounded(computed, `"${as}"`);
    progress.last = computed;
    names[as] = computed;
    return null;
  };
}

/** Bytes of a value as JSON. Values can hold others several times, and so grow without bound in a few steps. */
function requireBounded(value: Json, what: string): number {
  const bytes = valueBytes(value);
  countWork(bytes >> 6);
  if (bytes > MAX_VALUE_BYTES) throw new WorldError(`Of ${what} there are more than ${MAX_VALUE_BYTES} bytes.`);
  return bytes;
}

type Num = (names: JsonObject) => Json;

function numberOf(value: Json, as: string): number {
  if (typeof value === 'number') return value;
  throw new WorldError(`"${as}" cannot be computed: ${JSON.stringify(value) ?? 'a value'} is no number.`);
}

function compileCondition(
  { of, test }: WorldCondition,
  compileSchema: SchemaCompiler,
): (progress: Progress) => boolean {
  const holds = compileTest(test, compileSchema);
  if (of.kind === 'place') {
    const placeOf = compilePlace(of.at);
    return ({ state, names }) => holds(selectSegments(state, placeOf(names)), names);
  }
  const find = compileLookup(of.value);
  return ({ names }) => holds(find(names), names);
}

/** A test whose value may hold markers. */
function compileTest(
  test: ValueTest,
  compileSchema: SchemaCompiler,
): (value: Json | undefined, names: JsonObject) => boolean {
  switch (test.kind) {
    case 'exists':
    case 'matches':
    case 'schema':
      return compileValueTest(test, 'A tool', compileSchema);
    case 'in': {
      const values = compileFill(test.values);
      return (value, names) => passes({ kind: 'in', values: values(names) }, value);
    }
    case 'contains': {
      const text = compileFill(test.text);
      return (value, names) => value !== undefined && testedText(value).includes(testedText(text(names)));
    }
    default: {
      const { kind } = test;
      const bound = compileFill(test.value);
      return (value, names) => {
        const filled = bound(names);
        requireBounded(filled, 'a value that is compared');
        return passes({ kind, value: filled }, value);
      };
    }
  }
}

/** Each key is filled by itself, so that no argument can name a place beyond the one that the tool means. */
function compilePlace(at: WorldPlace): (names: JsonObject) => Place {
  const keys = at.map((key) => compileFill(key));
  return (names) => keys.map((key) => keyOf(key(names), at));
}

function keyOf(key: Json, at: WorldPlace): string {
  if (typeof key === 'string' || typeof key === 'number') return String(key);
  const place = placeText(at.map(String));
  throw new WorldError(`A key of the place ${place} is ${JSON.stringify(key)}, and must be a text or a number.`);
}

/** The entries of a table or a list; of anything else there are none. */
function entriesOf(value: Json | undefined): readonly Json[] {
  const entries = isJsonArray(value) ? value : isJsonObject(value) ? Object.values(value) : [];
  countWork(entries.length);
  return entries;
}

function hasAll(entry: Json, wanted: JsonObject): boolean {
  if (!isJsonObject(entry)) return Object.keys(wanted).length === 0;
  return Object.entries(wanted).every(
    ([key, value]) => Object.hasOwn(entry, key) && deepEqual(entry[key] ?? null, value),
  );
}
