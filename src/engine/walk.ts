import type { Move } from '../plugin/node-type.ts';
import type { Answer, ChildrenRequest, ErrorReply, Reply, Request } from '../plugin/request.ts';
import type { Json } from '../types/json.ts';
import type { TracePlace } from '../types/trace.ts';
import type { ErrorCategory, HttpResponse, StoppedBy, SubjectStatus } from '../types/trial.ts';
import { durationText } from './duration-text.ts';
import { errorText } from './error-text.ts';
import {
  type Graph,
  type GraphEdge,
  type GraphNode,
  PAYLOAD_SLOT,
  type Route,
  type SlotRead,
  TRIGGER_SLOT,
  triggerEntry,
} from './graph.ts';
import type { Planned } from './memo.ts';
import { lookUp } from './path.ts';
import { noteAnswer } from './note-answer.ts';
import { retryWaitUs } from './retry.ts';
import { COUNTER, MAX_VISITS, type Session } from './session.ts';
import { MAX_VALUE_BYTES, MAX_WALK_BYTES, valueBytes } from './value-bytes.ts';

/** What a driver must do before the walk can go on. */
export type Signal = 'ended' | 'ask' | 'children' | 'wait';

/** Steps of one walk before it is stopped. */
export const MAX_STEPS = 10_000;
/** How deep call, parallel and map may nest. */
export const MAX_DEPTH = 8;

/**
 * One run over one graph as a state machine: all semantics of the engine are here, and none in the drivers. A driver
 * calls `advance`, gives it what it asks for by `answer`, and calls `advance` again until it has ended.
 */
export class Walk {
  readonly graph: Graph;
  readonly session: Session;
  /** Null for the top-level walk. Walks are used again, so the parent may change, its depth not. */
  parent: Walk | null;
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
  path = new Int32Array(32);
  steps = 0;
  clockUs = 0;
  /** True when the final value derives from a model's answer. */
  finalFromModel = false;
  /** What the driver must answer, after the signal `ask` or `children`. */
  request: Request | null = null;
  /** Real microseconds to wait, after the signal `wait`. */
  waitUs = 0;
  readonly address = { trial: 0, node: '', visit: 0, attempt: 0, call: 0, fromModel: false };

  readonly slots: (Json | undefined)[];
  readonly visits: Int32Array;
  private readonly fromModel: Uint8Array;
  private readonly slotBytes: Float64Array;
  private readonly loops: Int32Array;
  private readonly inputs: (Json | undefined)[] = [];
  private trigger: Json = null;
  private payload: Json = null;
  private payloadFromModel = false;
  private deadlineUs = 0;
  private bytes = 0;
  private node: GraphNode | null = null;
  private next = -1;
  private attempt = 1;
  private planned: Planned | null = null;
  private inputFromModel = false;
  private targetFromModel = false;

  constructor(graph: Graph, session: Session, parent: Walk | null) {
    this.graph = graph;
    this.session = session;
    this.parent = parent;
    this.depth = parent === null ? 0 : parent.depth + 1;
    this.slots = new Array<Json | undefined>(graph.nodes.length).fill(undefined);
    this.visits = new Int32Array(graph.nodes.length);
    this.fromModel = new Uint8Array(graph.nodes.length);
    this.slotBytes = new Float64Array(graph.nodes.length);
    this.loops = new Int32Array(graph.edgeCount);
  }

  /** Puts the walk before its first node. `trigger` is the entry made of `payload`, which may be shared by trials. */
  begin(entry: number, payload: Json, trigger: Json, clockUs: number, deadlineUs: number): void {
    this.slots.fill(undefined);
    this.visits.fill(0);
    this.fromModel.fill(0);
    this.loops.fill(0);
    if (this.bytes !== 0) this.slotBytes.fill(0);
    this.bytes = 0;
    this.trigger = trigger;
    this.payload = payload;
    this.payloadFromModel = false;
    this.clockUs = clockUs;
    this.deadlineUs = deadlineUs;
    this.steps = 0;
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
  beginChild(entry: number, input: Json, parent: Walk, clockUs: number): void {
    this.begin(entry, input, triggerEntry('manual', input), clockUs, parent.deadlineUs);
    this.payloadFromModel = parent.inputFromModel;
  }

  /** Virtual plus, where answers take real time, real microseconds. */
  nowUs(): number {
    const { realTime } = this.session;
    return realTime === null ? this.clockUs : this.clockUs + realTime.elapsedUs();
  }

  advance(): Signal {
    for (;;) {
      if (this.session.brokenBy !== null) return 'ended';
      if (this.planned === null) {
        const node = this.enter();
        if (node === null) return 'ended';
        this.planned = this.firstMove(node);
      }
      const signal = this.perform(this.node as GraphNode, this.planned);
      if (signal !== null) return signal;
    }
  }

  /** Goes on with what a port, or the children, answered. */
  answer(answer: Answer): void {
    this.clockUs += answer.delayUs;
    noteAnswer(this, this.node as GraphNode, this.request as Request, answer);
    if (answer.reply.kind === 'broken') {
      this.session.brokenBy = answer.reply.message;
      return;
    }
    this.planned = this.nextMove(this.node as GraphNode, this.planned as Planned, answer.reply);
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

  private enter(): GraphNode | null {
    const { session } = this;
    if (this.steps >= MAX_STEPS || session.totalVisits >= MAX_VISITS) {
      session.count(COUNTER.workflowErrored, 1);
      const bound =
        this.steps >= MAX_STEPS ? `${MAX_STEPS} steps in one walk` : `${MAX_VISITS} node visits in one trial`;
      this.stop(
        'errored',
        'step_limit',
        'workflow',
        errorText('workflow', `safety cap hit: ${bound}`, '', this.graph.name),
      );
      return null;
    }
    if (this.nowUs() >= this.deadlineUs) {
      session.count(COUNTER.workflowTimeouts, 1);
      this.stop('timed_out', 'timeout', null, null);
      return null;
    }
    const node = this.graph.nodes[this.next] as GraphNode;
    this.node = node;
    this.lastNode = node.index;
    if (this.steps === this.path.length) {
      const longer = new Int32Array(this.path.length * 4);
      longer.set(this.path);
      this.path = longer;
    }
    this.path[this.steps++] = node.index;
    session.totalVisits++;
    session.observedLow |= node.bitsLow;
    session.observedHigh |= node.bitsHigh;
    session.nodeVisits[node.tallyIndex] = (session.nodeVisits[node.tallyIndex] as number) + 1;
    this.visits[node.index] = (this.visits[node.index] as number) + 1;
    this.attempt = 1;
    this.address.trial = session.trial;
    this.address.node = node.id;
    this.address.visit = this.visits[node.index] as number;
    this.address.attempt = 1;
    return node;
  }

  private firstMove(node: GraphNode): Planned {
    const { reads } = node;
    const { inputs } = this;
    inputs.length = reads.length;
    this.inputFromModel = false;
    this.targetFromModel = false;
    for (let i = 0; i < reads.length; i++) {
      const read = reads[i] as SlotRead;
      inputs[i] = this.resolve(read);
      if (this.readsModel(read)) {
        this.inputFromModel = true;
        if (i === 0) this.targetFromModel = true;
      }
    }
    if (this.session.recorder !== null) {
      this.session.recorder.event({ ...this.place(), kind: 'visit', type: node.type, inputs: [...inputs] });
    }
    const known = node.memo?.find(inputs);
    if (known !== undefined) return known;
    const planned = this.plan(node, node.step.begin(inputs));
    node.memo?.keep(inputs, planned);
    return planned;
  }

  private nextMove(node: GraphNode, ask: Planned, reply: Reply): Planned {
    const known = ask.replies?.get(reply);
    if (known !== undefined) return known;
    if (ask.move.kind !== 'ask' || node.step.after === undefined) {
      throw new Error(`Node type "${node.type}" asked but has no "after" to go on with.`);
    }
    const planned = this.plan(node, node.step.after(ask.move.state, reply));
    node.memo?.keepReply(ask, reply, planned);
    return planned;
  }

  private plan(node: GraphNode, move: Move): Planned {
    if (move.kind !== 'done') return { move, route: null, bytes: 0, replies: null };
    const bytes = valueBytes(move.output);
    if (bytes > MAX_VALUE_BYTES) {
      const message = `output of more than ${MAX_VALUE_BYTES} bytes exceeds the limit of one value`;
      return { move: { kind: 'error', category: 'tool', message }, route: null, bytes: 0, replies: null };
    }
    return { move, route: node.routes.get(move.branch) ?? null, bytes, replies: null };
  }

  private perform(node: GraphNode, planned: Planned): Signal | null {
    const { move } = planned;
    switch (move.kind) {
      case 'done': {
        this.session.count(COUNTER.nodeExecutions, 1);
        if (!this.store(node, move.output, planned.bytes)) return this.fail(node, 'tool', walkTooLarge);
        if (move.response !== undefined) this.response = move.response;
        if (this.session.rules.keepBranches && this.parent === null && move.branch !== undefined) {
          this.session.branchNodes.push(node.index);
          this.session.branchLabels.push(move.branch);
        }
        this.session.recorder?.event({
          ...this.place(),
          kind: 'output',
          output: move.output,
          branch: move.branch ?? null,
        });
        return this.follow(node, planned.route, move.branch, move.output);
      }
      case 'end': {
        const completed = move.status === 'completed';
        this.session.count(COUNTER.nodeExecutions, 1);
        this.session.count(completed ? COUNTER.workflowCompletions : COUNTER.workflowFailures, 1);
        this.slots[node.index] = null;
        this.stop(
          move.status,
          completed ? 'terminate' : 'fail',
          null,
          completed ? null : (move.reason ?? 'workflow failed'),
        );
        return 'ended';
      }
      case 'error':
        return this.retryOrFail(node, move.category, move.message, move.verbatim === true);
      case 'pause':
        return this.pause(node);
      case 'ask':
        return this.ask(node, planned, move.request);
    }
  }

  private ask(node: GraphNode, planned: Planned, request: Request): Signal | null {
    const { session } = this;
    if (node.isLoop && this.nowUs() >= this.deadlineUs)
      return this.retryOrFail(node, 'timeout', durationText(0), false);
    this.request = request;
    if (request.port === 'children') {
      if (this.depth + 1 > MAX_DEPTH) {
        return this.fail(node, 'workflow', `call depth exceeded ${MAX_DEPTH} at node \`${node.id}\``);
      }
      return 'children';
    }
    if (request.port === 'model') {
      const used = session.counters[COUNTER.llmTokens] as number;
      if (used >= session.rules.maxTokens) {
        this.planned = this.nextMove(node, planned, budgetSpent(used, session.rules.maxTokens));
        return null;
      }
      session.modelRequests++;
      this.address.call = session.modelRequests;
      this.address.fromModel = this.inputFromModel;
      if (request.repair) session.count(COUNTER.repairs, 1);
      if (session.rules.keepPrompts) {
        session.prompts.push({ node: node.id, text: request.messages.map((message) => message.content).join('\n') });
      }
    } else {
      if (node.isLoop) session.count(COUNTER.toolCalls, 1);
      this.address.fromModel = node.isLoop || this.targetFromModel;
    }
    session.recorder?.event({
      ...this.place(),
      kind: 'request',
      port: request.port,
      request: { ...request } as unknown as Json,
    });
    return 'ask';
  }

  private store(node: GraphNode, output: Json, bytes: number): boolean {
    const { index } = node;
    this.slots[index] = output;
    const fromModel = node.isModel || this.inputFromModel ? 1 : 0;
    this.fromModel[index] = fromModel;
    if (index === this.graph.triggerNode) {
      this.trigger = output;
      this.payloadFromModel = fromModel === 1;
    }
    this.bytes += bytes - (this.slotBytes[index] as number);
    this.slotBytes[index] = bytes;
    return this.bytes <= MAX_WALK_BYTES;
  }

  /** Marks the current node's output as derived from a model's answer, because a child's result was. */
  markFromModel(): void {
    this.inputFromModel = true;
  }

  private follow(node: GraphNode, route: Route | null, branch: string | undefined, output: Json): Signal | null {
    if (route === null) {
      return this.complete(node.hasOutEdges || branch !== undefined ? 'dead_end' : 'leaf', output, node.index);
    }
    let edge = route.only;
    if (edge === null) {
      let eligible = 0;
      for (const candidate of route.edges) {
        if (candidate.maxIterations >= 0 && (this.loops[candidate.index] as number) >= candidate.maxIterations)
          continue;
        eligible++;
        edge ??= candidate;
      }
      if (eligible > 1) {
        const text = `node \`${node.id}\` has ${eligible} matching out-edges for branch ${branch === undefined ? 'none' : `\`${branch}\``}`;
        this.erroredNode = node.index;
        this.stop('errored', 'error', 'workflow', errorText('workflow', text, node.type, this.graph.name));
        return 'ended';
      }
      if (edge === null) return this.complete('loop_spent', output, node.index);
    }
    this.take(edge);
    return null;
  }

  private take(edge: GraphEdge): void {
    const { session } = this;
    if (edge.maxIterations >= 0) this.loops[edge.index] = (this.loops[edge.index] as number) + 1;
    const counted = this.graph.edgeOffset + edge.index;
    session.edgeVisits[counted] = (session.edgeVisits[counted] as number) + 1;
    if (session.recorder !== null) {
      const to = (this.graph.nodes[edge.to] as GraphNode).id;
      session.recorder.event({ ...this.place(), kind: 'edge', to, when: edge.when });
    }
    this.next = edge.to;
    this.planned = null;
  }

  private complete(by: StoppedBy, output: Json, index: number): Signal {
    this.session.count(COUNTER.workflowCompletions, 1);
    this.stop('completed', by, null, null);
    this.finalValue = output;
    this.finalFromModel = index >= 0 && this.fromModel[index] === 1;
    return 'ended';
  }

  private pause(node: GraphNode): Signal | null {
    const approval = this.session.rules.approvals.get(node.id);
    if (approval === undefined || !approval.resume) {
      this.stop('paused', 'pause', null, null);
      return 'ended';
    }
    // A resumed run starts with a fresh deadline, as one that is continued from its checkpoint does.
    this.clockUs += approval.afterUs;
    this.deadlineUs = this.nowUs() + this.session.rules.timeoutUs;
    return this.follow(node, node.routes.get(undefined) ?? null, undefined, null);
  }

  private retryOrFail(node: GraphNode, category: ErrorCategory, message: string, verbatim: boolean): Signal | null {
    const waitUs = retryWaitUs(this, node, category, this.attempt);
    if (waitUs === null) return this.fail(node, category, message, verbatim);
    if (this.nowUs() + waitUs > this.deadlineUs) return this.fail(node, 'timeout', durationText(waitUs));
    const { session } = this;
    session.recorder?.event({ ...this.place(), kind: 'retry', waitUs, message });
    session.count(COUNTER.retries, 1);
    this.attempt++;
    this.address.attempt = this.attempt;
    this.planned = this.firstMove(node);
    if (session.realTime === null) {
      this.clockUs += waitUs;
      return null;
    }
    this.waitUs = waitUs;
    return 'wait';
  }

  private fail(node: GraphNode, category: ErrorCategory, message: string, verbatim = false): Signal {
    const { session } = this;
    session.count(COUNTER.nodeExecutions, 1);
    session.count(COUNTER.nodeFailures, 1);
    session.count(COUNTER.workflowErrored, 1);
    const text = verbatim ? message : errorText(category, message, node.type, this.graph.name);
    session.recorder?.event({ ...this.place(), kind: 'error', category, message: text });
    this.erroredNode = node.index;
    this.stop('errored', category === 'policy' ? 'denial' : 'error', category, text);
    return 'ended';
  }

  private stop(status: SubjectStatus, by: StoppedBy, category: ErrorCategory | null, reason: string | null): void {
    this.status = status;
    this.stoppedBy = by;
    this.category = category;
    this.reason = reason;
    if (status !== 'completed') this.response = null;
  }

  private resolve(read: SlotRead): Json | undefined {
    const { slot, segments } = read;
    const root =
      slot >= 0
        ? this.slots[slot]
        : slot === TRIGGER_SLOT
          ? this.trigger
          : slot === PAYLOAD_SLOT
            ? this.payload
            : undefined;
    if (root === undefined || segments.length === 0) return root;
    return lookUp(root, segments, 0);
  }

  private readsModel(read: SlotRead): boolean {
    if (read.slot >= 0) return this.fromModel[read.slot] === 1;
    return this.payloadFromModel;
  }
}

const walkTooLarge = `outputs kept by one walk exceed the limit of ${MAX_WALK_BYTES} bytes`;

function budgetSpent(used: number, cap: number): ErrorReply {
  const message = `budget.max_llm_tokens exceeded: ${used} / ${cap} tokens consumed`;
  return { kind: 'error', category: 'tool', message, denied: false, spent: true };
}

/** The runs that a `children` signal asks for. */
export function childRuns(walk: Walk): ChildrenRequest {
  return walk.request as ChildrenRequest;
}
