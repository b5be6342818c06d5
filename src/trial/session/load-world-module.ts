import { checkJsonSchema, type SchemaCompiler } from '../../engine/json-schema.ts';
import { PasskError } from '../../errors.ts';
import { importModule } from '../../plugin/import-module.ts';
import { attackedTools } from '../../sessions/attack/attacked-tools.ts';
import { MOST_STATE_BYTES } from '../../sessions/world/declared-world.ts';
import type { World } from '../../sessions/world/open-world.ts';
import { goldStateIn } from '../../sessions/world/gold-state.ts';
import { type CodedTool, codedWorld } from '../../sessions/world/module-world.ts';
import { withValue, WorldError } from '../../sessions/world/state-place.ts';
import type { Json, JsonObject } from '../../types/json.ts';
import type { SessionPlan } from '../../types/plan.ts';
import type { WorldModuleFile } from '../../types/sessions/declared-world.ts';
import { isJsonObject, isRecord } from '../../values/is-json.ts';
import { plainCopy } from '../../values/plain-json.ts';
import { splitPath } from '../../values/select-path.ts';
import type { SessionTools } from './compile-session.ts';
import { policing } from './policed-world.ts';

/** A plan whose world has been loaded. */
export interface ReadyPlan {
  /** Its world has the state and the tools of the module. */
  readonly plan: SessionPlan;
  /** Absent: the world of the plan is declared. */
  readonly world?: World;
}

/**
 * Loads the world of a plan where it is a module, and carries out the gold calls in it. Where the module cannot be loaded or
 * gives no world, and where a gold call fails, so that nobody could solve the task, the world cannot be opened, which breaks
 * trials with the reason. Throws `USAGE` where the module is not granted.
 */
export async function loadWorldModule(
  plan: SessionPlan,
  { moduleUrl = null, compileSchema }: Pick<SessionTools, 'moduleUrl' | 'compileSchema'>,
): Promise<ReadyPlan> {
  const { worldModule: module } = plan.scenario.subject;
  if (module === undefined) return { plan };
  if (moduleUrl === null) throw new PasskError('USAGE', `The module ${module.file} is not granted.`);
  const what = `The world ${module.file}`;
  const url = moduleUrl(module.file, plan.scenario.file);
  try {
    const exported = (await importModule(url, what))['default'];
    return readyPlan(plan, { exported, module, what, compileSchema });
  } catch (error) {
    if (!(error instanceof PasskError)) throw error;
    const { message } = error;
    return { plan, world: { open: () => cannotOpen(message) } };
  }
}

function cannotOpen(reason: string): never {
  throw new WorldError(reason);
}

interface LoadedModule {
  readonly exported: unknown;
  readonly module: WorldModuleFile;
  /** What it is; begins sentences. */
  readonly what: string;
  readonly compileSchema: SchemaCompiler;
}

function readyPlan(plan: SessionPlan, { exported, module, what, compileSchema }: LoadedModule): ReadyPlan {
  const { scenario } = plan;
  const { subject, expected } = scenario;
  const { gold, policy } = subject;
  const coded = toolsIn(exported, what);
  const state = stateIn(exported, module, what);
  const tools = coded.map(({ tool }) => tool);
  const world = codedWorld(state, coded, compileSchema);
  const loaded = { ...subject, world: { state, tools: attackedTools(tools, subject.crossed?.attack) } };
  if (gold === null || expected.state === undefined) {
    return { plan: { ...plan, scenario: { ...scenario, subject: loaded } }, world };
  }
  const made = goldStateIn(policy === undefined ? world : policing(policy, tools)(world), gold);
  if (!made.ok) {
    const { name } = gold[made.call] ?? { name: '' };
    throw new PasskError('PLUGIN', `Gold call ${made.call + 1} (${name}) fails on a fresh world: ${made.reason}`, {
      hint: `Correct the call in ${scenario.file}, or ${module.file}.`,
    });
  }
  const right = { ...expected, state: { ...expected.state, gold: made.state ?? {} } };
  return { plan: { ...plan, scenario: { ...scenario, subject: loaded, expected: right } }, world };
}

function toolsIn(world: unknown, what: string): readonly CodedTool[] {
  const tools: unknown = isRecord(world) ? world['tools'] : undefined;
  if (!isRecord(tools)) throw noWorld(what);
  return Object.entries(tools).map(([name, tool]): CodedTool => {
    const { description = '', parameters = {}, run } = isRecord(tool) ? tool : {};
    if (typeof run !== 'function' || typeof description !== 'string') {
      throw new PasskError('PLUGIN', `${what} has a tool "${name}" that is none.`, {
        hint: 'A tool has a function `run`, and may have `description` and `parameters`.',
      });
    }
    const schema = plainCopy(parameters, { maxLength: MOST_STATE_BYTES });
    const problems = schema.ok ? checkJsonSchema({ type: 'object', ...asObject(schema.value) }) : [schema.reason];
    if (!schema.ok || problems.length > 0) {
      throw new PasskError('PLUGIN', `${what}: the JSON Schema of the tool "${name}" is wrong: ${problems[0]}.`);
    }
    return {
      tool: { name, description, parameters: { type: 'object', ...asObject(schema.value) }, steps: [] },
      run: (state, args) => run.call(tool, state, args) as Json,
    };
  });
}

/** The state that a trial begins with: that of the module, with what the task has different. */
function stateIn(world: unknown, { changes }: WorldModuleFile, what: string): JsonObject {
  const copy = plainCopy(isRecord(world) ? world['state'] : undefined, {
    maxLength: MOST_STATE_BYTES,
    leavesOutUndefined: true,
  });
  if (!copy.ok)
    throw new PasskError('PLUGIN', `${what} has a state that is no plain data, or too large: ${copy.reason}.`);
  let state = copy.value;
  for (const { at, value } of changes) {
    try {
      state = withValue(state, splitPath(at), value);
    } catch (error) {
      if (!(error instanceof WorldError)) throw error;
      throw new PasskError('PLUGIN', `${what} cannot be changed for the task: ${error.message}`);
    }
  }
  if (isJsonObject(state)) return state;
  throw noWorld(what);
}

function asObject(value: Json): JsonObject {
  return isJsonObject(value) ? value : {};
}

function noWorld(what: string): PasskError {
  return new PasskError('PLUGIN', `${what} exports no world.`, {
    hint: 'Its default export has `state`, an object, and `tools`, as `defineWorld` of passk/plugin takes them.',
  });
}
