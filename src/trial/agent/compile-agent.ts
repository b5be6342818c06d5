import { type CheckTools, compileChecks } from '../../checks/compile-checks.ts';
import type { Registry } from '../../plugin/registry.ts';
import type { AgentPlan } from '../../types/plan.ts';
import { describeProgram } from '../describe-program.ts';
import type { CompiledSubject } from '../record/record-program.ts';
import { similarityOf } from '../similarity-of.ts';
import { agentRunner, type AgentRunnerParts } from './agent-runner.ts';

export interface AgentTools extends CheckTools, Pick<AgentRunnerParts, 'callHost' | 'startClock'> {
  readonly registry: Registry;
  /** False: trials are judged elsewhere; absent: here. */
  readonly judges?: boolean;
}

/** An agent with the rules that its answers are judged by. */
export function compileAgent(
  plan: AgentPlan,
  { registry, compileSchema, checkSupport, code, callHost, startClock, judges = true }: AgentTools,
): CompiledSubject {
  const { expected, faults } = plan.scenario;
  const checks = judges
    ? compileChecks(expected, {
        nodeIds: [],
        compileSchema,
        checkSupport,
        answersInTurns: true,
        chaos: faults.chaos,
        code,
        ...similarityOf(plan, registry),
      })
    : [];
  return {
    info: describeProgram(plan, checks),
    checks,
    openRunner: () => agentRunner({ plan, callHost, startClock }),
    close: () => Promise.resolve(),
  };
}
