import path from 'node:path';
import { PasskError } from '../errors.ts';
import type { ResolvedRunOptions } from '../settings/options.ts';
import { agentFile } from '../target/agent-program.ts';
import type { Issue } from '../types/issue.ts';
import { BLOCK_SIZE, type ScenarioPlan, type SessionPlan } from '../types/plan.ts';
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
    ...(!isCanned && { folder: root }),
    blockSize: isCanned ? BLOCK_SIZE : 1,
  };
}

/** Throws `USAGE` with every module of an agent that the user has not granted. */
export function requireAgentModules(
  plans: readonly ScenarioPlan[],
  { permissions }: Pick<ResolvedRunOptions, 'permissions'>,
): void {
  const problems = new Set<string>();
  for (const { scenario, folder } of plans) {
    if (scenario.subject.kind !== 'session' || scenario.subject.agent.kind !== 'module' || folder === undefined)
      continue;
    const file = path.resolve(folder, scenario.subject.agent.file);
    try {
      agentFile(file, path.dirname(path.resolve(folder, scenario.file)), permissions);
    } catch (error) {
      if (!(error instanceof PasskError)) throw error;
      problems.add(error.message);
    }
  }
  if (problems.size === 0) return;
  const issues = [...problems].map((message): Issue => ({ code: 'bad_option', severity: 'error', message }));
  throw new PasskError('USAGE', [...problems].join(' '), { issues });
}
