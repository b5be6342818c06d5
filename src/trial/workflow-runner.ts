import type { CannedModel } from '../intelligence/canned-model.ts';
import type { AnswerPath } from '../intelligence/answer-path.ts';
import type { PickLog, Pick as Picked } from '../intelligence/chooser.ts';
import { messageOf } from '../values/message-of.ts';
import { isWorkLow, isTooMuchWork } from '../values/work.ts';
import type { RunnerParts } from './runner-parts.ts';
import { createTableRunner, type TableRunner } from './table-runner.ts';
import { openWorld } from './open-world.ts';
import { Engine } from '../engine/engine.ts';
import type { Recorder } from '../engine/trial-state.ts';
import type { RealTime } from '../types/real-time.ts';
import type { Json } from '../types/json.ts';
import type { TrialRecord } from '../types/record.ts';
import type { WorkflowScenario } from '../types/scenario.ts';
import { EngineView } from './trial-view.ts';
import { failureDetail } from './failure-detail.ts';
import { ChaosPorts } from './chaos/chaos-ports.ts';
import { countDeclined } from './record/declined-questions.ts';
import { countCosts, firedIn, type Judged, judge, judgedBy } from './judge.ts';
import { RecordTaker } from './judged/record-taker.ts';
import { RunnerJudging } from './judged/runner-judging.ts';
import { WholeTrial } from './judged/whole-trial.ts';
import { openTape } from './cassette/trial-tape.ts';
import type { TrialTape } from './cassette/tape.ts';
import { RealWorld } from './real-world.ts';
import { LivePorts } from './live-ports.ts';
import { mutatedPayload, timeFromNow } from './mutated/mutated-payload.ts';
import { outsidePorts } from './outside-ports.ts';
import { TrialPorts } from './trial-ports.ts';
import type { Tally } from './tally/tally.ts';
import { LedgerRecorder } from './record/ledger-of.ts';
import { TraceRecorder } from './trace-recorder.ts';

export interface RunOneOptions {
  readonly recorder?: Recorder | null;
  /** Aborted when the run ends. */
  readonly stop?: AbortSignal | null;
}

/** The trial's own limit comes first; after this time a function of the host is not waited for in any case. */
const HOST_SLACK_MS = 1000;
const WORTH_A_TABLE = 32;

/** One engine with its own ports: runs one trial at a time, any number of them one after the other. */
export class WorkflowRunner {
  readonly view: EngineView;
  /** The answers of the next trial where they are enumerated; undefined: they are drawn. */
  readonly path: AnswerPath | undefined;
  /** What the model chose in the trial that was run last; undefined: it is not kept. */
  readonly picks: PickLog | undefined;
  private readonly parts: RunnerParts;
  private readonly judged: Judged;
  private readonly ports: TrialPorts;
  /** Null: nothing is declared to go wrong. */
  private readonly chaos: ChaosPorts | null;
  private readonly engine: Engine;
  private readonly model: CannedModel;
  /** Of what cannot be run again in the same way; null: it can. */
  private readonly recording: TraceRecorder | null;
  /** What trials cost, for their rows; null: no rows are kept. */
  private readonly ledger: LedgerRecorder | null;
  /** The same; null: no records are kept. */
  private readonly taker: RecordTaker | null;
  /** Null: no judge is asked. */
  private readonly judging: RunnerJudging | null;
  /** For judges and checks in code; null: nobody looks at a trial as a whole. */
  private readonly whole: WholeTrial | null;
  /** Null: no cassette takes part. */
  private readonly tape: TrialTape | null;
  /** The trial that the model draws for outside of any; −1: none. */
  private drawsOf = -1;
  /** Undefined: not made yet; null: the program is not for tables. */
  private table: TableRunner | null | undefined;

  constructor(parts: RunnerParts) {
    const { plan, callHost } = parts;
    const { scenario, cassette, index } = plan;
    const { trigger, dryRun } = scenario.subject;
    const { policy, model, world, path, picks } = openWorld(parts.world);
    this.parts = parts;
    this.judged = judgedBy(parts.checks, plan);
    this.path = path;
    this.picks = picks;
    this.recording = plan.traits.repeatable ? null : new TraceRecorder(parts.lowest);
    this.taker = plan.firstRecords === true ? new RecordTaker(this.recording) : null;
    this.ledger = this.taker ?? (plan.rows === true ? new LedgerRecorder(this.recording) : null);
    const realWorld =
      parts.effects === null
        ? null
        : new RealWorld({ effects: parts.effects, world, policy, scenario: plan.scenario.name });
    this.ports = new TrialPorts({
      dryRun: dryRun === true,
      overlap: !plan.traits.sync,
      policy,
      model,
      world,
      realWorld,
      outside: outsidePorts(plan),
      callHost,
      hostTimeoutMs: scenario.timeoutMs + HOST_SLACK_MS,
      live: new LivePorts(plan, callHost),
    });
    const isTaped = cassette !== undefined && callHost !== null;
    this.tape = isTaped ? openTape(cassette, { ports: this.ports, scenario: index, callHost }) : null;
    const { startClock } = parts;
    this.judging = plan.judges === undefined ? null : new RunnerJudging({ plan, callHost, startClock });
    // A cassette holds what the outside world said, not what chaos made of it.
    const { chaos } = parts;
    const around = { inner: this.tape?.ports ?? this.ports, realTime: () => this.engine.trialState.realTime };
    this.chaos = chaos && new ChaosPorts({ chaos, ...around, refuses: (request) => this.ports.refuses(request) });
    const ports = this.chaos ?? this.tape?.ports ?? this.ports;
    this.engine = new Engine({
      graphs: parts.graphs,
      rules: parts.rules,
      ports: parts.aroundPorts?.(ports) ?? ports,
      start: trigger.start,
      kind: trigger.kind,
      payload: trigger.payload,
    });
    this.view = new EngineView(this.engine, { world, realWorld, chaos: this.chaos?.state ?? null });
    const { checks } = scenario.expected;
    const whole = checks === undefined && this.judging === null ? null : new WholeTrial(this);
    this.whole = whole;
    if (whole !== null) this.view.record = () => whole.record();
    this.model = model;
  }

  /** Trials from … to − 1 of a program that runs at once, or fewer where work runs low. Returns the trial after the last one run. */
  run(from: number, to: number, tally: Tally): number {
    this.countInto(tally);
    this.engine.record(this.ledger);
    const table = this.tableFor(to - from);
    let trial = from;
    while (trial < to) {
      const begun = trial;
      // Trial 0 is counted apart, which the walk does.
      if (table !== null && trial > 0 && table.isWorthwhile) trial = table.run(trial, to, tally);
      if (trial < to && !(trial > begun && isWorkLow())) this.walk(trial++, tally, this.ledger);
      if (isWorkLow()) break;
    }
    table?.flush(tally);
    return trial;
  }

  /** The variant that a trial is given when it asks for a turn. */
  drawn(trial: number, { turn, occurrence }: Pick<Picked, 'turn' | 'occurrence'>): number {
    if (trial !== this.drawsOf) this.model.begin(trial);
    this.drawsOf = trial;
    return this.model.drawn(turn, occurrence);
  }

  /** One trial of a program that runs at once, step by step; `recorder`: told what happens. */
  runWalked(trial: number, tally: Tally, recorder: Recorder | null = null): void {
    this.drawsOf = -1;
    this.countInto(tally);
    this.engine.record(recorder);
    this.walk(trial, tally, recorder);
    this.engine.record(null);
  }

  /** `recorder`: the one that the engine has. */
  private walk(trial: number, tally: Tally, recorder: Recorder | null): void {
    this.ledger?.begin();
    if (this.whole !== null) this.engine.record(this.whole.begin(recorder));
    try {
      this.ports.begin(trial, tally);
      this.chaos?.begin(trial);
      this.engine.run(trial);
    } catch (error) {
      if (isTooMuchWork(error)) throw error;
      this.breakBy(trial, error, tally);
      return;
    }
    this.fold(tally);
  }

  /** Tables are made when a run is long enough to pay for them. */
  private tableFor(trials: number): TableRunner | null {
    if (this.table === undefined && trials >= WORTH_A_TABLE && this.parts.useTables) {
      this.table = createTableRunner(this.parts, this.engine, this.model);
    }
    return this.table ?? null;
  }

  /** One trial of any program. */
  async runOne(
    trial: number,
    tally: Tally,
    realTime: RealTime | null,
    { recorder = null, stop = null }: RunOneOptions = {},
  ): Promise<void> {
    this.countInto(tally);
    this.view.judged = [];
    this.judging?.begin();
    this.recording?.begin();
    this.ledger?.begin();
    const inner = recorder ?? this.ledger ?? this.recording;
    this.engine.record(this.whole?.begin(inner) ?? inner);
    const onStop = (): void => this.engine.trialState.breakBy('The run was stopped.');
    stop?.addEventListener('abort', onStop, { once: true });
    const tape = realTime === null ? null : this.tape;
    try {
      this.ports.begin(trial, tally, stop);
      this.chaos?.begin(trial);
      const time = realTime === null ? null : ((await tape?.begin(trial, realTime)) ?? realTime);
      // Chaos is around the subject: whoever changes its prompt is asked without.
      const asked = { ports: tape?.ports ?? this.ports, trial, stop, recorder: this.engine.trialState.recorder };
      const payload = await mutatedPayload(this.scenario, asked);
      this.engine.trialState.realTime = this.timeOf(time, payload !== undefined);
      await this.engine.runAsync(trial, payload);
      if (stop?.aborted !== true) await tape?.end();
      await this.judging?.rule(this, stop);
      this.fold(tally);
    } catch (error) {
      this.breakBy(trial, error, tally);
    } finally {
      tape?.drop();
      stop?.removeEventListener('abort', onStop);
      this.engine.record(null);
    }
  }

  get scenario(): WorkflowScenario {
    return this.parts.plan.scenario;
  }

  /** The node at which the trial that was run last stopped with an error; null: it did not. */
  get erroredNode(): string | null {
    const { walk } = this.engine;
    return walk.graph.nodes[walk.erroredNode]?.id ?? null;
  }

  /** The last outputs of the trial that was run last, by top-level node. */
  outputs(): Readonly<Record<string, Json>> {
    const { graph, context } = this.engine.walk;
    const entries = graph.nodes.map(({ id, index }) => [id, context.outputs[index]] as const);
    return Object.fromEntries(entries.filter((entry): entry is readonly [string, Json] => entry[1] !== undefined));
  }

  /** Faults that struck the trial that was run last; null: none is declared. */
  struck(): TrialRecord['struck'] {
    return this.chaos?.state.struckFaults() ?? null;
  }

  /** The engine of the trial that was run last. */
  get last(): Engine {
    return this.engine;
  }

  /** The time that the workflow lives in: what a model took to change its prompt is none of it. */
  private timeOf(time: RealTime | null, isMutated: boolean): RealTime | null {
    if (time === null || !isMutated) return time;
    return this.parts.plan.virtualTime === true ? null : timeFromNow(time);
  }

  private countInto(tally: Tally): void {
    const { trialState } = this.engine;
    trialState.nodeVisits = tally.nodeVisits;
    trialState.edgeVisits = tally.edgeVisits;
  }

  private fold(tally: Tally): void {
    const { trialState, walk } = this.engine;
    trialState.observedLow |= this.parts.triggerBit;
    this.spend(trialState.trial, tally);
    try {
      judge(this.judged, this.view, walk, tally, this.chaos?.state ?? null);
    } catch (error) {
      if (isTooMuchWork(error)) throw error;
      countCosts(trialState, tally);
      if (this.chaos !== null) tally.strikes.add(this.chaos.state);
      this.markBroken(`a check failed to run: ${messageOf(error)}`, tally);
    }
    this.taker?.keepLast(this, tally);
  }

  // What a step threw is a fault of the harness or of a plug-in, never of the subject.
  private breakBy(trial: number, error: unknown, tally: Tally): void {
    const { trialState } = this.engine;
    trialState.trial = trial;
    this.spend(trial, tally);
    countCosts(trialState, tally);
    if (this.chaos !== null) tally.strikes.add(this.chaos.state);
    this.markBroken(messageOf(error), tally);
  }

  private spend(trial: number, tally: Tally): void {
    countDeclined(trial, this.engine.trialState.declined, tally);
    if (this.ledger !== null) tally.rows?.spend(trial, [...this.ledger.lines, ...(this.judging?.ledger ?? [])]);
  }

  private markBroken(cause: string, tally: Tally): void {
    const { trialState } = this.engine;
    const { trial } = trialState;
    trialState.brokenBy = cause;
    tally.markBroken(trial, cause);
    if (!tally.wantsDetail(trial)) return;
    tally.show(trial, failureDetail(this.engine.walk, [], this.view, firedIn(this.chaos?.state ?? null)));
  }
}
