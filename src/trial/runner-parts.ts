import type { Check } from '../checks/check.ts';
import type { Effects } from '../effects/effect.ts';
import type { Graphs } from '../engine/engine.ts';
import type { TrialRules } from '../engine/trial-state.ts';
import type { CompiledChaos } from '../faults/chaos/compile-chaos.ts';
import type { Ports } from '../plugin/request.ts';
import type { RealTime } from '../types/real-time.ts';
import type { WorkflowPlan } from '../types/plan.ts';
import type { HostCall } from './live-ports.ts';
import type { LowestTrials } from './lowest-trials.ts';
import type { CompiledWorld } from './open-world.ts';

export interface RunnerParts {
  readonly plan: WorkflowPlan;
  readonly graphs: Graphs;
  readonly rules: TrialRules;
  readonly world: CompiledWorld;
  readonly checks: readonly Check[];
  readonly callHost: HostCall | null;
  readonly startClock: () => RealTime;
  /** What the user granted of the real world, as far as this program may ask for it; null: nothing. */
  readonly effects: Effects | null;
  /** Stands between the engine and all ports of a trial; absent: nothing does. */
  readonly aroundPorts?: ((ports: Ports) => Ports) | undefined;
  /** Failing trials so far, over all runners. */
  readonly lowest: LowestTrials;
  /** What goes wrong around the subject; null: nothing is declared. */
  readonly chaos: CompiledChaos | null;
  /** Bits of the trigger's capability. */
  readonly triggerBit: number;
  /** False: every trial is walked. Results do not depend on it. */
  readonly useTables: boolean;
  /** Cells that tables have room for at first. */
  readonly tableRoom: number;
}
