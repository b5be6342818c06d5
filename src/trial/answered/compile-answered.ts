import { type CheckTools, compileChecks } from '../../checks/compile-checks.ts';
import type { Registry } from '../../plugin/registry.ts';
import type { AgentAnswer } from '../../types/agent.ts';
import type { AnsweredPlan } from '../../types/plan.ts';
import { recordAgent } from '../agent/record-agent.ts';
import { describeProgram } from '../describe-program.ts';
import type { CompiledSubject } from '../record/record-program.ts';
import { similarityOf } from '../similarity-of.ts';

export interface AnsweredTools extends CheckTools {
  readonly registry: Registry;
}

/** Answers that are known beforehand, judged as those of an agent that calls nothing and takes no time. */
export function compileAnswered(
  plan: AnsweredPlan,
  { registry, compileSchema, checkSupport, code }: AnsweredTools,
): CompiledSubject {
  const { expected, subject } = plan.scenario;
  const checks = compileChecks(expected, {
    nodeIds: [],
    compileSchema,
    checkSupport,
    answersInTurns: true,
    code,
    ...similarityOf(plan, registry),
  });
  const run = { answers: subject.turns.map(answerOf), fired: [] };
  return {
    info: describeProgram(plan, checks),
    checks,
    readNow: (trial) => recordAgent(trial, run, null),
    openRunner: () => ({ run: async (trial) => recordAgent(trial, run, null) }),
    close: () => Promise.resolve(),
  };
}

function answerOf({ prompt, answer }: AnsweredPlan['scenario']['subject']['turns'][number]): AgentAnswer {
  return {
    prompt,
    sent: null,
    struckBy: [],
    asked: true,
    struck: 0,
    text: answer,
    error: null,
    latencyMs: 0,
    tokens: 0,
    promptTokens: 0,
    completionTokens: 0,
    calls: [],
    // Whatever goes wrong around it, it says the same.
    baseline: answer,
  };
}
