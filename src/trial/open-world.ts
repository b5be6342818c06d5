import type { WorldTemplate } from '../effects/create-world.ts';
import type { TrialWorld } from '../effects/trial-world.ts';
import { type CannedModel, createCannedModel } from '../intelligence/canned-model.ts';
import { AnswerPath } from '../intelligence/answer-path.ts';
import { PickLog } from '../intelligence/chooser.ts';
import type { FaultType } from '../plugin/fault-type.ts';
import type { PolicyGate } from '../policy/create-policy.ts';
import type { WorkflowPlan } from '../types/plan.ts';

/** The parts of a program that stand for everything outside its steps; shared by all its runners. */
export interface CompiledWorld {
  readonly plan: WorkflowPlan;
  readonly policy: PolicyGate;
  readonly template: WorldTemplate;
  readonly faults: ReadonlyMap<string, FaultType>;
}

/** A world of its own for one runner: what one trial writes or uses up is not there for another. */
export function openWorld(compiled: CompiledWorld): {
  readonly policy: PolicyGate;
  readonly model: CannedModel;
  readonly world: TrialWorld;
  /** What the model answers where answers are enumerated; undefined: they are drawn. */
  readonly path: AnswerPath | undefined;
  /** What the model was asked to choose; undefined: nobody wants to know. */
  readonly picks: PickLog | undefined;
} {
  const { plan, policy, template, faults } = compiled;
  const { scenario } = plan;
  const path = plan.sampler === 'exhaustive' ? new AnswerPath() : undefined;
  const picks = plan.dedupe === true ? new PickLog() : undefined;
  const model = createCannedModel({
    turns: scenario.subject.turns,
    sampler: plan.sampler,
    words: plan.words,
    faults,
    intelErrorOnCall: scenario.faults.intelErrorOnCall,
    chooser: path ?? picks,
  });
  return { policy, model, world: template.open(), path, picks };
}
