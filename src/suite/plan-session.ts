import type { ResolvedRunOptions } from '../settings/options.ts';
import { BLOCK_SIZE, type SessionPlan } from '../types/plan.ts';
import type { Scenario } from '../types/scenario.ts';
import type { SessionSubject } from '../types/session.ts';
import { type PlanContext, planDraws } from './plan-context.ts';

/** A session that waits ends by itself; its worker is overdue some time later. */
const SLACK_MS = 1000;

/** The plan of a scenario that holds sessions. Unless the agent is code of the user, all is in it and nothing is waited for. */
export function planSession(
  scenario: Scenario<SessionSubject>,
  index: number,
  { root }: PlanContext,
  options: ResolvedRunOptions,
): SessionPlan {
  const { similarity } = scenario.expected.invariants ?? {};
  const isCanned = scenario.subject.agent.kind === 'canned';
  const timeoutMs = options.timeoutMs ?? scenario.timeoutMs;
  const userCode = similarity !== undefined || !isCanned;
  return {
    index,
    scenario: { ...scenario, timeoutMs },
    ...planDraws(scenario, options),
    sampler: 'seeded',
    traits: {
      sync: isCanned,
      repeatable: isCanned,
      place: userCode ? 'worker' : 'here',
      orderGroup: null,
      longestMs: isCanned ? timeoutMs : timeoutMs + SLACK_MS,
    },
    userCode,
    // Arguments of tools are checked.
    schemas: true,
    liveModels: [],
    liveNodes: [],
    // A module is a program: the user grants it, and reports say that one took part.
    ...(!isCanned && { effects: ['process'], folder: root }),
    blockSize: isCanned ? BLOCK_SIZE : 1,
  };
}
