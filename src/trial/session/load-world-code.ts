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
import type { WorldCode } from '../../types/sessions/declared-world.ts';
import { isJsonObject, isRecord } from '../../values/is-json.ts';
import { plainCopy } from '../../values/plain-json.ts';
import { splitPath } from '../../values/select-path.ts';
import { codeOf } from '../../plugin/process-code.ts';
import type { SessionTools } from './compile-session.ts';
import { policing } from './policed-world.ts';

/** A plan whose world has been loaded. */
export interface ReadyPlan {
  /** Its world has the state and the tools of the code. */
  readonly plan: SessionPlan;
  /** Absent: the world of the plan is declared. */
  readonly world?: World;
}

/**
 * Loads the world of a plan where it is code, and carries out the gold calls in it. Where the code cannot be loaded or
 * gives no world, and where a gold call fails, so that nobody could solve the task, the world cannot be opened, which breaks
 * trials with the reason. Throws `USAGE` where the module is not granted.
 */
export async function loadWorldCode(
  plan: SessionPlan,
  tools: Pick<SessionTools, 'moduleUrl' | 'processCode' | 'compileSchema'>,
): Promise<ReadyPlan> {
  const { worldCode: code } = plan.scenario.subject;
  if (code === undefined) return { plan };
  const what = 'file' in code ? `The world ${code.file}` : 'The world of the scenario';
  const load = loaderOf(code, what, { ...tools, scenarioFile: plan.scenario.file });
  try {
    return readyPlan(plan, { exported: await load(), code, what, compileSchema: tools.compileSchema });
  } catch (error) {
    if (!(error instanceof PasskError)) throw error;
    const { message } = error;
    return { plan, world: { open: () => cannotOpen(message) } };
  }
}

/** What gives the code. Throws `USAGE` where it may not be loaded, or is not here. */
function loaderOf(
  code: WorldCode,
  what: string,
  { moduleUrl = null, processCode, scenarioFile }: WorldTools,
): () => unknown {
  if (!('file' in code)) {
    const object = codeOf(code.code, processCode);
    return () => object;
  }
  if (moduleUrl === null) throw new PasskError('USAGE', `The module ${code.file} is not granted.`);
  const url = moduleUrl(code.file, scenarioFile);
  return async () => (await importModule(url, what))['default'];
}

interface WorldTools extends Pick<SessionTools, 'moduleUrl' | 'processCode'> {
  readonly scenarioFile: string;
}

function cannotOpen(reason: string): never {
  throw new WorldError(reason);
}

interface LoadedCode {
  readonly exported: unknown;
  readonly code: WorldCode;
  /** What it is; begins sentences. */
  readonly what: string;
  readonly compileSchema: SchemaCompiler;
}

function readyPlan(plan: SessionPlan, { exported, code, what, compileSchema }: LoadedCode): ReadyPlan {
  const { scenario } = plan;
  const { subject, expected } = scenario;
  const { gold, policy } = subject;
  const coded = toolsIn(exported, code, what);
  const state = stateIn(exported, code, what);
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
      hint:
        'file' in code ? `Correct the call in ${scenario.file}, or ${code.file}.` : 'Correct the call, or the world.',
    });
  }
  const right = { ...expected, state: { ...expected.state, gold: made.state ?? {} } };
  return { plan: { ...plan, scenario: { ...scenario, subject: loaded, expected: right } }, world };
}

function toolsIn(world: unknown, code: WorldCode, what: string): readonly CodedTool[] {
  const tools: unknown = isRecord(world) ? world['tools'] : undefined;
  if (!isRecord(tools)) throw noWorld(what, code);
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
function stateIn(world: unknown, code: WorldCode, what: string): JsonObject {
  const copy = plainCopy(isRecord(world) ? world['state'] : undefined, {
    maxLength: MOST_STATE_BYTES,
    leavesOutUndefined: true,
  });
  if (!copy.ok)
    throw new PasskError('PLUGIN', `${what} has a state that is no plain data, or too large: ${copy.reason}.`);
  let state = copy.value;
  for (const { at, value } of code.changes) {
    try {
      state = withValue(state, splitPath(at), value);
    } catch (error) {
      if (!(error instanceof WorldError)) throw error;
      throw new PasskError('PLUGIN', `${what} cannot be changed for the task: ${error.message}`);
    }
  }
  if (isJsonObject(state)) return state;
  throw noWorld(what, code);
}

function asObject(value: Json): JsonObject {
  return isJsonObject(value) ? value : {};
}

function noWorld(what: string, code: WorldCode): PasskError {
  const says = 'file' in code ? 'exports no world' : 'is none';
  return new PasskError('PLUGIN', `${what} ${says}.`, {
    hint: `${'file' in code ? 'Its default export' : 'It'} has \`state\`, an object, and \`tools\`, as \`defineWorld\` of passk/plugin takes them.`,
  });
}
