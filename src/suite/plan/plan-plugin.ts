import { PasskError } from '../../errors.ts';
import type { ResolvedRunOptions } from '../../settings/options.ts';
import type { PluginPlan } from '../../types/plan.ts';
import type { PluginSubject, Scenario } from '../../types/scenario.ts';
import { checksSchemas, type PlanContext, planDraws } from './plan-context.ts';

/** A trial that waits ends by itself; its worker is overdue some time later. */
const SLACK_MS = 1000;

/** The plan of a scenario that tries what a plug-in runs. Throws `PLUGIN` where none brings it. */
export function planPlugin(
  scenario: Scenario<PluginSubject>,
  index: number,
  context: PlanContext,
  options: ResolvedRunOptions,
): PluginPlan {
  const { subject } = scenario;
  const type = context.registry.subjects.get(subject.type);
  if (type === undefined) {
    throw new PasskError('PLUGIN', `"${scenario.name}" tries the subject "${subject.type}", which no plug-in brings.`, {
      hint: 'Name its module with --plugin.',
    });
  }
  const timeoutMs = options.timeoutMs ?? scenario.timeoutMs;
  return {
    index,
    scenario: { ...scenario, timeoutMs },
    ...planDraws(scenario, options),
    traits: {
      sync: false,
      repeatable: type.repeatable === true,
      place: 'worker',
      orderGroup: null,
      // Its code may hold the thread, so that only the end of its worker ends it.
      longestMs: timeoutMs + SLACK_MS,
    },
    userCode: true,
    schemas: checksSchemas(scenario.expected),
    liveModels: [],
    liveNodes: [],
    blockSize: 1,
  };
}
