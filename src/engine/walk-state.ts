import type { Request } from '../plugin/request.ts';
import type { Json } from '../types/json.ts';
import type { TracePlace } from '../types/trace.ts';
import type { ErrorCategory, HttpResponse, StoppedBy, SubjectStatus } from '../types/trial.ts';
import { countWork } from '../values/work.ts';
import { zeros } from '../values/zeros.ts';
import { Context } from './context.ts';
import { type Graph, triggerEntry } from './graph.ts';
import type { Planned } from './memo.ts';
import type { GraphNode } from './graph.ts';
import type { TrialState } from './trial-state.ts';
import type { TimeLimit } from './waits.ts';

/** When a walk begins and when it must have ended, in microseconds since the trial began. */
export interface WalkTimes {
  readonly clockUs: number;
  readonly deadlineUs: number;
}

/** Where one run over one graph stands. Reused from trial to trial; everything is put back by `begin`. */
export class WalkState {
  readonly graph: Graph;
  readonly trialState: TrialState;
  /** Null for the top-level walk. Walks are used again, so the parent may change, its depth not. */
  parent: WalkState | null;
  readonly depth: number;
  /** Position among the parent node's runs. */
  element = 0;

  status: SubjectStatus = 'completed';
  stoppedBy: StoppedBy = 'leaf';
  reason: string | null = null;
  category: ErrorCategory | null = null;
  finalValue: Json = null;
  response: HttpResponse | null = null;
  lastNode = -1;
  erroredNode = -1;
  // So few numbers lie on the JavaScript heap, which is a good deal cheaper to make.
  path = new Int32Array(16);
  steps = 0;
  /** Retries and repeated requests: steps that are on no path. */
  protected repeats = 0;
  /** The present attempt at the current node has made a request. */
  protected hasAsked = false;
  clockUs = 0;
  /** True when the final value derives from a model's answer. */
  finalFromModel = false;
  /** What the driver must answer, after the signal `ask` or `children`. */
  request: Request | null = null;
  /** Real microseconds to wait, after the signal `wait`. */
  waitUs = 0;
  readonly address = { trial: 0, walk: '', node: '', visit: 0, attempt: 0, call: 0, fromModel: false };

  readonly context: Context;
  readonly visits: number[];
  /** How often each loop edge was followed. */
  protected readonly loops: number[];
  protected deadlineUs = 0;
  protected node: GraphNode | null = null;
  protected next = -1;
  protected planned: Planned | null = null;
  /** Whether what the current node read, or its first input, derives from a model's answer. */
  protected inputFromModel = false;
  protected targetFromModel = false;

  constructor(graph: Graph, trialState: TrialState, parent: WalkState | null) {
    this.graph = graph;
    this.trialState = trialState;
    this.parent = parent;
    this.depth = parent === null ? 0 : parent.depth + 1;
    this.context = new Context(graph.nodes.length);
    this.visits = zeros(graph.nodes.length);
    this.loops = zeros(graph.edgeCount);
  }

  /** Puts the walk before its first node. `trigger` is the entry made of `payload`, which trials may share. */
  begin(entry: number, payload: Json, trigger: Json, times: WalkTimes, fromModel = false): void {
    this.context.begin(payload, trigger, fromModel);
    this.visits.fill(0);
    this.loops.fill(0);
    this.status = 'completed';
    this.stoppedBy = 'leaf';
    this.clockUs = times.clockUs;
    this.deadlineUs = times.deadlineUs;
    this.steps = 0;
    this.repeats = 0;
    this.lastNode = -1;
    this.erroredNode = -1;
    this.reason = null;
    this.category = null;
    this.finalValue = null;
    this.finalFromModel = false;
    this.response = null;
    this.node = null;
    this.next = entry;
    this.planned = null;
  }

  /** Begins as a child of `parent`: kind manual, the parent's deadline. */
  beginChild(entry: number, input: Json, parent: WalkState, clockUs: number): void {
    // What is put back is as long as the graph is large, and a map may have very many children.
    countWork(this.visits.length + this.loops.length);
    const times = { clockUs, deadlineUs: parent.deadlineUs };
    this.begin(entry, input, triggerEntry('manual', input), times, parent.inputFromModel);
  }

  /** Virtual plus, where answers take real time, real microseconds. */
  nowUs(): number {
    const { realTime } = this.trialState;
    return realTime === null ? this.clockUs : this.clockUs + realTime.elapsedUs();
  }

  /** Until the walk times out; with real time, what is left of it now. */
  leftUs(): number {
    return this.deadlineUs - this.nowUs();
  }

  /** When to stop waiting for an answer; null: virtual time does not pass while one waits. */
  timeLimit(): TimeLimit | null {
    const { realTime } = this.trialState;
    return realTime === null ? null : { us: this.leftUs(), realTime };
  }

  /** The name of this walk in traces: `''`, or the nodes and elements that lead here. */
  name(): string {
    if (this.parent === null) return '';
    const outer = this.parent.name();
    return `${outer === '' ? '' : `${outer}/`}${this.parent.address.node}[${this.element}]`;
  }

  place(): TracePlace {
    const { node, visit, attempt } = this.address;
    return { walk: this.name(), node, visit, attempt, atUs: this.clockUs };
  }

  /** Marks the current node's output as derived from a model's answer, because a child's result was. */
  markFromModel(): void {
    this.inputFromModel = true;
  }

  protected stop(status: SubjectStatus, by: StoppedBy, category: ErrorCategory | null, reason: string | null): void {
    this.status = status;
    this.stoppedBy = by;
    this.category = category;
    this.reason = reason;
    if (status !== 'completed') this.response = null;
  }
}
