import type { Denial, SentPrompt, SentRequest, TrialView } from '../checks/check.ts';
import { commonSteps } from '../checks/common-steps.ts';
import type { SeenFile, TrialWorld } from '../effects/trial-world.ts';
import type { Engine } from '../engine/engine.ts';
import type { ChaosState } from '../faults/chaos/chaos-state.ts';
import { COUNTER } from '../engine/trial-state.ts';
import type { Json } from '../types/json.ts';
import type { JudgeRuling } from '../types/judges/judge.ts';
import type { TrialRecord } from '../types/record.ts';
import type { CounterName, HttpResponse, StoppedBy, SubjectStatus } from '../types/trial.ts';
import type { RealWorld } from './real-world.ts';

export interface EngineViewOptions {
  readonly world: TrialWorld;
  readonly realWorld: RealWorld | null;
  /** What goes wrong around the trial; null: nothing is declared. */
  readonly chaos: ChaosState | null;
}

/** What checks see of the trial that an engine has just ended: always the present state, nothing copied. */
export class EngineView implements TrialView {
  /** What judges made of the trial that has just ended. */
  judged: readonly JudgeRuling[] = [];
  /** The trial as a whole; absent: nobody takes it down. */
  record?: () => TrialRecord;
  private readonly engine: Engine;
  private readonly world: TrialWorld;
  private readonly realWorld: RealWorld | null;
  private readonly chaos: ChaosState | null;

  constructor(engine: Engine, { world, realWorld, chaos }: EngineViewOptions) {
    this.engine = engine;
    this.world = world;
    this.realWorld = realWorld;
    this.chaos = chaos;
  }

  get status(): SubjectStatus {
    return this.engine.walk.status;
  }

  get stoppedBy(): StoppedBy {
    return this.engine.walk.stoppedBy;
  }

  get lastNode(): number {
    return this.engine.walk.lastNode;
  }

  get erroredNode(): number {
    return this.engine.walk.erroredNode;
  }

  get reason(): string | null {
    return this.engine.walk.reason;
  }

  get struck(): number {
    return this.chaos?.struck ?? 0;
  }

  get path(): Int32Array {
    return this.engine.walk.path;
  }

  get pathLength(): number {
    return this.engine.walk.steps;
  }

  commonSteps(expected: Int32Array): number {
    return commonSteps(this.engine.walk.path, this.engine.walk.steps, expected);
  }

  get finalValue(): Json {
    return this.engine.walk.finalValue;
  }

  get response(): HttpResponse | null {
    return this.engine.walk.response;
  }

  get elapsedUs(): number {
    return this.engine.walk.nowUs();
  }

  counter(name: CounterName): number {
    return this.engine.trialState.counters[COUNTER[name]] ?? 0;
  }

  get untoldBy(): string | null {
    return this.engine.trialState.untoldBy;
  }

  output(node: number): Json | undefined {
    return this.engine.walk.context.outputs[node];
  }

  tookBranch(node: number, branch: string): boolean {
    const { branchNodes, branchLabels } = this.engine.trialState;
    return branchNodes.some((taken, at) => taken === node && branchLabels[at] === branch);
  }

  prompts(): readonly SentPrompt[] {
    return this.engine.trialState.prompts;
  }

  requests(): readonly SentRequest[] {
    return this.engine.trialState.requests;
  }

  denials(): readonly Denial[] {
    return this.engine.trialState.denials;
  }

  /** A workflow's turns are its outcome. */
  turns(): null {
    return null;
  }

  calls(): null {
    return null;
  }

  claimed(): null {
    return null;
  }

  state(): null {
    return null;
  }

  gold(): null {
    return null;
  }

  rulings(): readonly JudgeRuling[] {
    return this.judged;
  }

  model(): null {
    return null;
  }

  file(path: string): SeenFile | null {
    return this.realWorld?.look(path) ?? this.world.file(path);
  }
}
