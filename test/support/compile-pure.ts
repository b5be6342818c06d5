import { compileJsonSchema } from '../../src/engine/compile-json-schema.ts';
import { compileTrial, type TrialTools } from '../../src/trial/compile-trial.ts';
import type { WorkflowProgram } from '../../src/trial/program.ts';
import { builtinRegistry } from '../../src/trial/registry.ts';
import type { WorkflowPlan } from '../../src/types/plan.ts';

/** The program of a plan that needs nothing but itself. */
export function compilePure(plan: WorkflowPlan, tools: Partial<TrialTools> = {}): WorkflowProgram {
  return compileTrial(plan, {
    registry: builtinRegistry,
    compileSchema: compileJsonSchema,
    callHost: null,
    startClock: () => {
      throw new Error('a pure program reads no clock');
    },
    ...tools,
  });
}
