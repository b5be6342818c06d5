import { compileJsonSchema } from '../../src/engine/schema/compile-json-schema.ts';
import { compileTrial, type TrialTools } from '../../src/trial/compile-trial.ts';
import type { TrialProgram } from '../../src/trial/program.ts';
import { builtinRegistry } from '../../src/trial/registry.ts';
import type { ScenarioPlan } from '../../src/types/plan.ts';

/** The program of a plan that needs nothing but itself. */
export function compilePure(plan: ScenarioPlan, tools: Partial<TrialTools> = {}): TrialProgram {
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
