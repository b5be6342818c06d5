import type { ResolvedRunOptions } from '../settings/options.ts';
import { BLOCK_SIZE, type SessionPlan } from '../types/plan.ts';
import type { Scenario } from '../types/scenario.ts';
import type { SessionSubject } from '../types/session.ts';
import { type PlanContext, planDraws } from './plan-context.ts';

/** The plan of a scenario that holds sessions: agent, user and world are in it, so that nothing is waited for. */
export function planSession(
  scenario: Scenario<SessionSubject>,
  index: number,
  _context: PlanContext,
  options: ResolvedRunOptions,
): SessionPlan {
  const { similarity } = scenario.expected.invariants ?? {};
  return {
    index,
    scenario,
    ...planDraws(scenario, options),
    sampler: 'seeded',
    traits: {
      sync: true,
      repeatable: true,
      place: similarity === undefined ? 'here' : 'worker',
      orderGroup: null,
      longestMs: scenario.timeoutMs,
    },
    userCode: similarity !== undefined,
    // Arguments of tools are checked.
    schemas: true,
    liveModels: [],
    liveNodes: [],
    blockSize: BLOCK_SIZE,
  };
}
