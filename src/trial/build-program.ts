import { comparesFacts } from '../checks/compile-checks.ts';
import type { SupportChecker } from '../checks/faithful/faithful-check.ts';
import type { Effects } from '../effects/effect.ts';
import type { GrantedEffects } from '../effects/granted/create-effects.ts';
import { elicitingServers } from '../effects/mcp-answers.ts';
import { PasskError } from '../errors.ts';
import type { SchemaCompiler } from '../engine/json-schema.ts';
import type { RealTime } from '../types/real-time.ts';
import { loadPlugins } from '../plugin/load-plugins.ts';
import { factsOf, isWorkflow } from '../types/subjects.ts';
import type { ScenarioPlan } from '../types/plan.ts';
import type { HasProcessCode } from '../types/scenarios/process-code.ts';
import { isJudgedHere, judgingCode } from '../types/scenarios/judging-code.ts';
import { extendRegistry } from './registry.ts';
import type { TrialProgram } from './program.ts';
import { compileSubject } from './subject-kinds.ts';
import type { HostCall } from './live-ports.ts';

export interface BuildServices extends HasProcessCode {
  /** Plug-in modules as `file:` URLs, in loading order. */
  readonly plugins: readonly string[];
  /** Null where no function of the host can be called. */
  readonly callHost: HostCall | null;
  /** Real time for programs whose trials wait for answers; called at the start of each trial. */
  readonly startClock: () => RealTime;
  /** What the user granted; null: nothing. Not asked for programs that need none of it. */
  readonly effects: GrantedEffects | null;
  /** False: trials are only recorded, so that nothing of the user is loaded; absent: they are judged as well. */
  readonly judges?: boolean;
  /** False: what a node has answered is not kept for other trials; absent: true. Results do not depend on it. */
  readonly remembersMoves?: boolean;
}

/** Compiles a plan with everything it needs, loading plug-ins and the schema library only where they are used. */
export function buildProgram(plan: ScenarioPlan, services: BuildServices): TrialProgram | Promise<TrialProgram> {
  const { callHost, startClock, effects, judges = true } = services;
  // Of many small scenarios most need nothing that has to be waited for.
  const { subject, expected } = plan.scenario;
  const isWaited = plan.schemas && (judges || factsOf(subject).checksSchemas);
  const hasCode = plan.userCode || effects !== null || isJudgedHere(expected);
  if (isWaited || (judges && (hasCode || comparesFacts(expected)))) return loadAndBuild(plan, services);
  const registry = extendRegistry([], plan.liveNodes);
  return compileSubject(plan, { registry, compileSchema: noSchemas, callHost, startClock, effects: null, judges });
}

async function loadAndBuild(
  plan: ScenarioPlan,
  { plugins, callHost, startClock, effects, processCode, judges = true, remembersMoves = true }: BuildServices,
): Promise<TrialProgram> {
  const hasCode = judges && judgingCode(plan.scenario.expected).length > 0;
  const registry = extendRegistry(judges && plan.userCode ? await loadPlugins(plugins) : [], plan.liveNodes);
  const moduleUrl = effects === null ? null : effects.moduleUrl;
  return compileSubject(plan, {
    ...(hasCode && {
      code: await (await import('./judged/load-checks.ts')).loadChecks(plan.scenario, {
        registry,
        moduleUrl,
        processCode,
      }),
    }),
    registry,
    compileSchema: plan.schemas ? await loadSchemaCompiler() : noSchemas,
    checkSupport: comparesFacts(plan.scenario.expected) ? await loadSupportChecker() : undefined,
    callHost,
    startClock,
    judges,
    effects: effects === null ? null : await openEffects(plan, effects),
    moduleUrl,
    processCode,
    ...(!remembersMoves && { memoLimit: 0 }),
  });
}

async function openEffects(
  { effects: ports = [], scenario }: ScenarioPlan,
  granted: GrantedEffects,
): Promise<Effects | null> {
  if (ports.length === 0 || !isWorkflow(scenario)) return null;
  const { workflow, world } = scenario.subject;
  const { mcpServers, secrets = [] } = workflow;
  const elicits = elicitingServers(world.mcp);
  return granted.open({
    ports,
    mcpServers,
    elicits,
    secrets,
    scenarioFile: scenario.file,
    timeoutMs: scenario.timeoutMs,
  });
}

async function loadSchemaCompiler(): Promise<SchemaCompiler> {
  const { compileJsonSchema } = await import('../engine/compile-json-schema.ts');
  return compileJsonSchema;
}

async function loadSupportChecker(): Promise<SupportChecker> {
  const { checkSupport } = await import('../faithfulness/check-support.ts');
  return checkSupport;
}

const noSchemas: SchemaCompiler = () => {
  throw new PasskError('INTERNAL', 'The plan says that no schema is used, but a node brought one.');
};
