import { invariantTypeOf } from '../../checks/invariants/builtin.ts';
import type { Registry } from '../../plugin/registry.ts';
import { deriveWords } from '../../random/draw.ts';
import type { HasFilePlaces } from '../../types/check-places.ts';
import type { LiveNode } from '../../types/live-node.ts';
import type { EffectPort } from '../../types/permissions.ts';
import type { ScenarioPlan } from '../../types/plan.ts';
import type { Scenario } from '../../types/scenario.ts';
import type { DefinitionBase } from '../../types/suite-base.ts';
import type { ResolvedRunOptions } from '../../settings/options.ts';

/** What the plan takes from the loaded suite. */
export interface PlanInput extends HasFilePlaces {
  readonly scenarios: readonly Scenario[];
  readonly registry: Registry;
  readonly liveNodes: readonly LiveNode[];
  /** What scenarios are run for; absent: nothing. */
  readonly definitions?: readonly DefinitionBase[];
  /** Absolute folder that names of scenario files are relative to. */
  readonly root: string;
}

/** What all scenarios of a run are planned with. */
export interface PlanContext extends PlanInput {
  /** Ports that some grant opens. */
  readonly granted: ReadonlySet<EffectPort>;
  /** Position of the first scenario of each agent, by its key. */
  readonly orderGroups: Map<string, number>;
  /** Of each file whom the last rung waited for on which an agent is asked more at a time. */
  readonly lastRungs: Map<string, string>;
}

/** What a scenario is run for; undefined: it stands for itself. */
export function definitionOf({ part }: Scenario, { definitions = [] }: PlanInput): DefinitionBase | undefined {
  return part === undefined ? undefined : definitions.find(({ name }) => name === part.of);
}

/** Which trials of a scenario are run, and what they are drawn from. */
export function planDraws(
  scenario: Scenario,
  options: ResolvedRunOptions,
): Pick<ScenarioPlan, 'sampler' | 'words' | 'trials'> {
  const { name, namesInFile, seed, part } = scenario;
  const sampler = scenario.sampler ?? options.sampler;
  return {
    // What goes wrong in a contract is drawn, so its answers are not enumerated.
    sampler: part !== undefined && sampler === 'exhaustive' ? 'seeded' : sampler,
    words: deriveWords(seed ?? options.seed, namesInFile?.scenario ?? name),
    trials: options.trials ?? scenario.trials,
  };
}

/** True: an invariant checks answers against a JSON Schema. */
export function checksSchemas({ invariants }: Scenario['expected']): boolean {
  return invariants?.list.some(({ rule }) => invariantTypeOf(rule)?.checksSchemas === true) === true;
}
