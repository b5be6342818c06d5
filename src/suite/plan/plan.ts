import { grantedPorts } from '../../effects/granted-ports.ts';
import { LIVE_CALL, liveModelFunction, liveNodeFunction } from '../../plugin/live-node.ts';
import { modelsOfJudge } from '../../judges/models-of-judge.ts';
import { Missing } from '../../source/missing.ts';
import { CASSETTE_READ, CASSETTE_WRITE } from '../../types/cassette.ts';
import { ANSWERER } from '../../types/check-places.ts';
import { JUDGE_CALL } from '../../types/judges/judge-call.ts';
import type { RunPlan, ScenarioPlan } from '../../types/plan.ts';
import { COMMAND_CALL } from '../../types/sessions/session-check.ts';
import { factsOf, runsCommands } from '../../types/subjects.ts';
import type { ResolvedRunOptions } from '../../settings/options.ts';
import type { PlanContext, PlanInput } from './plan-context.ts';
import { requirePrices } from './plan-prices.ts';
import { withJudges } from '../judges/plan-judges.ts';
import { plannerOf } from './subject-planners.ts';
import { refuseInexact } from '../refuse-inexact.ts';

/** Trials, seed words and ports of every scenario: plain data from which any worker can run any trial. */
export function planRun(input: PlanInput, options: ResolvedRunOptions): RunPlan {
  const { permissions, cassette, traceContext } = options;
  const granted = grantedPorts(permissions);
  const context: PlanContext = { ...input, granted, orderGroups: new Map(), lastRungs: new Map() };
  const missing = new Missing();
  const scenarios = input.scenarios.flatMap((scenario, index): readonly ScenarioPlan[] => {
    try {
      const plan = plannerOf(scenario).plan(scenario, index, context, options);
      return [withRetries(withJudges(plan, options), options)];
    } catch (error) {
      missing.addAll(error, () => input.filePlaces?.ofAgent(scenario, ANSWERER));
      return [];
    }
  });
  missing.refuse();
  refuseInexact(scenarios);
  requirePrices(scenarios);
  const hostFunctions = new Set<string>();
  for (const scenario of scenarios) addHostFunctions(hostFunctions, scenario);
  const isReplay = cassette?.mode === 'replay';
  return {
    scenarios,
    plugins: options.plugins,
    hostFunctions: [...hostFunctions].sort(),
    // A replay has no grants: those of the recording do not carry over.
    ...(!isReplay &&
      granted.size > 0 && {
        granted: { permissions, root: input.root, ...(traceContext !== null && { traceRun: traceContext }) },
      }),
  };
}

/**
 * Trials that wait are run again where the harness breaks them. Others would break again in the same way.
 */
function withRetries(plan: ScenarioPlan, { retries }: ResolvedRunOptions): ScenarioPlan {
  const { traits, blockSize, scenario, cassette } = plan;
  const canHeal = !traits.sync && !traits.repeatable && plannerOf(scenario).keepsBroken !== true;
  return retries > 0 && canHeal && blockSize === 1 && cassette === undefined ? { ...plan, retries } : plan;
}

/** Trials of all scenarios together. */
export function totalTrials(plan: RunPlan): number {
  return plan.scenarios.reduce((sum, scenario) => sum + scenario.trials, 0);
}

function addHostFunctions(names: Set<string>, plan: ScenarioPlan): void {
  for (const model of plan.liveModels) names.add(liveModelFunction(model));
  if (plan.liveEndpoints !== undefined) names.add(LIVE_CALL);
  for (const { name, endpoint, module } of (plan.judges ?? []).flatMap(modelsOfJudge)) {
    if (module !== undefined) names.add(JUDGE_CALL);
    else if (endpoint === undefined) names.add(liveModelFunction(name));
  }
  const { hostFunction } = plannerOf(plan.scenario);
  if (hostFunction !== undefined && factsOf(plan.scenario.subject).asksHost(plan.scenario.subject))
    names.add(hostFunction);
  if (runsCommands(plan)) names.add(COMMAND_CALL);
  for (const { type } of plan.liveNodes) names.add(liveNodeFunction(type));
  if (plan.cassette !== undefined) names.add(plan.cassette === 'record' ? CASSETTE_WRITE : CASSETTE_READ);
}
