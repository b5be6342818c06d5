import { PasskError } from '../errors.ts';
import type { Answer, ChildRun, Ports, Request } from '../plugin/request.ts';
import type { Json } from '../types/json.ts';
import type { Outcome } from '../types/trial.ts';
import { freezeDeep } from '../values/freeze-deep.ts';
import { type Driven, drive, driveAsync, type OpenedChild } from './drive.ts';
import { errorText } from './error-text.ts';
import { type Graph, triggerEntry } from './graph.ts';
import { outcomeOf } from './outcome.ts';
import { COUNTER, type Recorder, TrialState, type TrialRules } from './trial-state.ts';
import type { Unanswered } from './waits.ts';
import { Walk } from './walk.ts';

/** All graphs of one program, by the key nodes name them by; `''` is the top-level workflow. */
export class Graphs {
  readonly all: readonly Graph[];
  private readonly byKey: ReadonlyMap<string, Graph>;

  constructor(all: readonly Graph[]) {
    this.all = all;
    this.byKey = new Map(all.map((graph) => [graph.key, graph]));
  }

  get(key: string): Graph | undefined {
    return this.byKey.get(key);
  }
}

export interface EngineOptions {
  readonly graphs: Graphs;
  readonly rules: TrialRules;
  readonly ports: Ports;
  readonly start: string;
  readonly kind: string;
  readonly payload: Json;
}

/** Runs trials of one program, one at a time, as often as asked: everything it needs is built once. */
export class Engine implements Driven {
  readonly trialState: TrialState;
  /** The top-level walk: what checks look at after a run. */
  readonly walk: Walk;
  private readonly options: EngineOptions;
  private readonly entry: number;
  private readonly trigger: Json;
  private idle: Map<string, Walk[]> | null = null;
  /** Aborted when the answer to the next request is not wanted any more. */
  private stop = new AbortController();

  constructor(options: EngineOptions) {
    this.options = options;
    const root = options.graphs.get('');
    const entry = root?.entries.get(options.start);
    if (root === undefined || entry === undefined) {
      throw new PasskError('INTERNAL', `The program has no start node "${options.start}".`);
    }
    this.trialState = new TrialState(options.rules, options.ports);
    this.walk = new Walk(root, this.trialState, null);
    this.entry = entry;
    freezeDeep(options.payload);
    // Of frozen parts: nothing deeper is left to freeze.
    this.trigger = Object.freeze(triggerEntry(options.kind, options.payload));
  }

  /** One trial of a pure program. Its outcome is read off `walk` and `trialState`. */
  run(trial: number): void {
    this.begin(trial);
    drive(this, this.walk);
  }

  /** One trial of any program. `payload`: of the trigger, of this trial alone; absent: that of the program. */
  async runAsync(trial: number, payload?: Json): Promise<void> {
    if (payload === undefined) this.begin(trial);
    else this.begin(trial, payload, triggerEntry(this.options.kind, payload));
    await driveAsync(this, this.walk, null);
  }

  /** Where every trial starts, for drivers that do not walk. */
  get start(): { readonly entry: number; readonly payload: Json; readonly trigger: Json } {
    return { entry: this.entry, payload: this.options.payload, trigger: this.trigger };
  }

  outcome(): Outcome {
    return outcomeOf(this.walk);
  }

  record(recorder: Recorder | null): void {
    this.trialState.recorder = recorder;
  }

  /** The answer, or why none came: until the walk's time is up, or the trial is over. */
  async ask(walk: Walk): Promise<Answer | Unanswered> {
    const { stop } = this;
    // Only who waits is told: in pure programs nobody asks for it.
    walk.address.walk = walk.name();
    const portAnswer = this.options.ports.ask(requestOf(walk), walk.address, stop.signal);
    // The next request gets the same signal, which nobody listens to now: making one costs more than most answers.
    if (!(portAnswer instanceof Promise)) return portAnswer;
    this.stop = new AbortController();
    const answer = await this.trialState.waits.first(portAnswer, walk.timeLimit());
    if (typeof answer === 'string') stop.abort();
    return answer;
  }

  /** True: some request of this program may overlap with others. */
  get mayOverlap(): boolean {
    return this.options.ports.overlaps !== undefined;
  }

  /** True: the walk's request may be made although earlier siblings still run. */
  overlaps(walk: Walk): boolean {
    const request = requestOf(walk);
    // A budget is spent in declared order too, and never twice.
    if (request.port === 'model' && this.trialState.rules.maxTokens !== Infinity) return false;
    return this.options.ports.overlaps?.(request) === true;
  }

  askNow(walk: Walk): Answer {
    const answer = this.options.ports.ask(requestOf(walk), walk.address);
    if (answer instanceof Promise) {
      throw new PasskError('INTERNAL', `A ${walk.request?.port} request of a pure program was answered late.`);
    }
    return answer;
  }

  openChild(parent: Walk, run: ChildRun, element: number, startUs: number): OpenedChild {
    const graph = this.options.graphs.get(run.workflow);
    if (graph === undefined) throw new PasskError('INTERNAL', `The program has no child workflow "${run.workflow}".`);
    const entry = run.start === undefined ? graph.firstEntry : (graph.entries.get(run.start) ?? -1);
    if (entry < 0) {
      const text = `child start node \`${run.start ?? '<none>'}\` not found`;
      const message = errorText('workflow', text, '', graph.name);
      return { ok: false, result: { kind: 'error', category: 'workflow', message } };
    }
    const pool = this.idle?.get(poolKey(run.workflow, parent.depth));
    const walk = pool?.pop() ?? new Walk(graph, this.trialState, parent);
    walk.parent = parent;
    walk.element = element;
    walk.beginChild(entry, run.input, parent, startUs);
    return { ok: true, walk };
  }

  /** Keeps a child's walk for the next one of its kind. */
  closeChild(walk: Walk): void {
    const key = poolKey(walk.graph.key, walk.depth - 1);
    this.idle ??= new Map();
    const pool = this.idle.get(key);
    if (pool === undefined) this.idle.set(key, [walk]);
    else pool.push(walk);
    if (this.trialState.recorder !== null) {
      this.trialState.recorder.event({ kind: 'end', walk: walk.name(), outcome: outcomeOf(walk) });
    }
  }

  private begin(trial: number, payload = this.options.payload, trigger = this.trigger): void {
    const { trialState, options } = this;
    trialState.begin(trial);
    trialState.count(COUNTER.workflowStarts, 1);
    this.walk.begin(this.entry, payload, trigger, { clockUs: 0, deadlineUs: options.rules.timeoutUs });
  }
}

function requestOf(walk: Walk): Request {
  if (walk.request === null) throw new PasskError('INTERNAL', 'A walk asked for nothing.');
  return walk.request;
}

function poolKey(workflow: string, parentDepth: number): string {
  return `${parentDepth} ${workflow}`;
}
