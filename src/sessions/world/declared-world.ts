import type { SchemaCompiler } from '../../engine/json-schema.ts';
import { valueBytes } from '../../engine/value-bytes.ts';
import type { Json, JsonObject } from '../../types/json.ts';
import type { DeclaredTool, DeclaredWorld, WorldPlace, WorldStep } from '../../types/sessions/declared-world.ts';
import { deepEqual } from '../../values/deep-equal.ts';
import { isJsonArray, isJsonObject } from '../../values/is-json.ts';
import { selectSegments } from '../../values/select-path.ts';
import { countWork } from '../../values/work.ts';
import { compileCondition } from './compile-condition.ts';
import { compilePlace } from './compile-place.ts';
import { compileFill } from './fill.ts';
import type { OpenWorld, World } from './open-world.ts';
import { OwnParts } from './own-parts.ts';
import { recordedWorld } from './recorded-world.ts';
import { requireBounded } from './require-bounded.ts';
import { invalid, type ToolReply, unknownTool } from './tool-reply.ts';
import { placeText, withEntry, withoutPlace, withValue, WorldError } from './state-place.ts';

/** Bytes of a state as JSON, about; more is a database, and no world that is fresh for every trial. */
export const MOST_STATE_BYTES = 16 * 1024 * 1024;

/** Compiles a declared world. Nothing of its state is ever changed, so that a fresh one costs nothing: sessions change copies. */
export function compileWorld({ state, tools, recorded }: DeclaredWorld, compileSchema: SchemaCompiler): World {
  if (recorded !== undefined) return recordedWorld(state, recorded);
  const compiled = new Map(tools.map((tool) => [tool.name, compileTool(tool, compileSchema)]));
  const bytes = valueBytes(state, MOST_STATE_BYTES);
  const callOf = (name: string): ToolCall =>
    compiled.get(name) ?? ((before) => unchanged(before, invalid(unknownTool(name, tools))));
  return { open: () => new DeclaredWorldInSession({ state, bytes, callOf }) };
}

interface WorldParts {
  readonly state: Json;
  readonly bytes: number;
  readonly callOf: (name: string) => ToolCall;
}

class DeclaredWorldInSession implements OpenWorld {
  private present: Json;
  private readonly own = new OwnParts();
  /** At most so many bytes as JSON: what was overwritten is not taken off. */
  private bytes: number;
  private readonly callOf: WorldParts['callOf'];

  constructor({ state, bytes, callOf }: WorldParts) {
    this.present = state;
    this.bytes = bytes;
    this.callOf = callOf;
  }

  get state(): Json {
    this.own.shareAll();
    return this.present;
  }

  call(name: string, args: Json): ToolReply {
    const { state, grown, reply } = this.carriedOut(name, args);
    this.present = state;
    this.bytes += grown;
    if (this.bytes > MOST_STATE_BYTES) this.bytes = valueBytes(state, MOST_STATE_BYTES);
    if (this.bytes > MOST_STATE_BYTES) throw new WorldError(`The state has grown beyond ${MOST_STATE_BYTES} bytes.`);
    return reply;
  }

  /** A call that fails, or shows that the world is wrong, has done nothing. */
  private carriedOut(name: string, args: Json): CalledTool {
    let isDone = false;
    try {
      const called = this.callOf(name)(this.present, args, this.own);
      isDone = called.reply.problem === null;
      return called;
    } finally {
      if (isDone) this.own.keep();
      else this.own.takeBack();
    }
  }
}

/** `grown`: bytes that were put into the state, as JSON. */
interface CalledTool {
  readonly state: Json;
  readonly grown: number;
  readonly reply: ToolReply;
}

type ToolCall = (state: Json, args: Json, own: OwnParts) => CalledTool;

function unchanged(state: Json, reply: ToolReply): CalledTool {
  return { state, grown: 0, reply };
}

/** What a step sees and changes. */
interface Progress {
  state: Json;
  /** What of the state may be changed in place. */
  readonly own: OwnParts;
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
  return (state, args, own) => {
    const [first] = violations(args);
    if (first !== undefined) return unchanged(state, invalid(`The arguments of ${name} do not fit: ${first}.`));
    const progress: Progress = { state, own, names: { args }, last: null, grown: 0 };
    for (const step of compiled) {
      const failure = step(progress);
      // What earlier steps changed is undone: a call that fails has done nothing.
      if (failure !== null) return unchanged(state, { result: null, problem: failure.message, isValid: true });
    }
    const result = give === null ? progress.last : give(progress.names);
    requireBounded(result, () => `what the tool ${JSON.stringify(name)} gives`);
    return { state: progress.state, grown: progress.grown, reply: { result, problem: null, isValid: true } };
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
        progress.state = withoutPlace(progress.state, placeOf(progress.names), progress.own);
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
    const found = selectSegments(progress.state, placeOf(progress.names));
    // Names and results hold it, whatever later steps change.
    progress.own.share(found);
    const value = give(found, progress.names);
    progress.last = value;
    if (as !== null) progress.names[as] = value;
    return null;
  };
}

/** A step that changes a place of the state. */
function changing(at: WorldPlace, value: Json, change: typeof withValue): Step {
  const placeOf = compilePlace(at);
  const fill = compileFill(value);
  return (progress) => {
    const filled = fill(progress.names);
    progress.grown += requireBounded(filled, () => `what is put at ${placeText(at.map(String))}`);
    progress.state = change(progress.state, placeOf(progress.names), filled, progress.own);
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
    requireBounded(computed, () => `"${as}"`);
    progress.last = computed;
    names[as] = computed;
    return null;
  };
}

type Num = (names: JsonObject) => Json;

function numberOf(value: Json, as: string): number {
  if (typeof value === 'number') return value;
  throw new WorldError(`"${as}" cannot be computed: ${JSON.stringify(value) ?? 'a value'} is no number.`);
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
