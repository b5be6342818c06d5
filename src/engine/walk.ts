import type { Answer, Request } from '../plugin/request.ts';
import type { Json } from '../types/json.ts';
import type { ErrorCategory, StoppedBy } from '../types/trial.ts';
import { chooseEdge } from './choose-edge.ts';
import { durationText } from './duration-text.ts';
import { errorText } from './error-text.ts';
import type { GraphNode, SlotRead } from './graph.ts';
import type { GraphEdge, Route } from './route.ts';
import type { Planned } from './memo.ts';
import { firstMove, nextMove } from './moves.ts';
import { noteAnswer } from './note-answer.ts';
import { noteRequest, refuseSpent } from './note-request.ts';
import { retryWaitUs } from './retry.ts';
import { COUNTER } from './trial-state.ts';
import { edgeEvent, outputEvent, visitEvent } from './step-events.ts';
import { MAX_STEPS, MAX_TRIAL_STEPS, STEP_WORK, stepLimitText } from './step-limit.ts';
import { MAX_WALK_BYTES } from './value-bytes.ts';
import { countWork } from '../values/work.ts';
import { WalkState } from './walk-state.ts';

/** What a driver must do before the walk can go on. */
export type Signal = 'ended' | 'ask' | 'children' | 'wait';

/** How deep call, parallel and map may nest. */
export const MAX_DEPTH = 8;

/**
 * One run over one graph as a state machine: all semantics of the engine are here, and none in the drivers. A driver
 * calls `advance`, gives it what it asks for by `admit` and `answer`, and calls `advance` again until it has ended.
 */
export class Walk extends WalkState {
  advance(): Signal {
    for (;;) {
      if (this.trialState.brokenBy !== null) return 'ended';
      if (this.planned === null) {
        const node = this.enter();
        if (node === null) return 'ended';
        this.planned = this.beginStep(node);
        // A visit counts once its node is dispatched, whatever comes of it. A pause is no execution.
        if (this.planned.move.kind !== 'pause') this.trialState.count(COUNTER.nodeExecutions, 1);
        if (node.runsChildren && this.depth >= MAX_DEPTH) return this.failTooDeep(node);
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
      this.trialState.breakBy(answer.reply.message);
      return;
    }
    this.planned = nextMove(this.graph, this.node as GraphNode, this.planned as Planned, answer.reply);
  }

  /**
   * Says that the request is made now: counts it and writes it down. False: there is no budget left for it, and the
   * walk goes on without an answer.
   */
  admit(): boolean {
    const { trialState } = this;
    const node = this.node as GraphNode;
    let request = this.request as Request;
    const spent = refuseSpent(trialState, request);
    if (spent !== null) {
      this.planned = nextMove(this.graph, node, this.planned as Planned, spent);
      return false;
    }
    if (trialState.ports.prepare !== undefined) {
      request = trialState.ports.prepare(request);
      this.request = request;
    }
    noteRequest(this, node, request, node.isLoop || this.targetFromModel, this.inputFromModel);
    return true;
  }

  /** Ends the walk, maybe in the middle of a request: its time is up. */
  expire(): void {
    this.trialState.count(COUNTER.workflowTimeouts, 1);
    this.stop('timed_out', 'timeout', null, this.trialState.unanswered);
  }

  /** Counts a retry, or a further request of one visit. False: the limit is reached. */
  private countRepeat(): boolean {
    if (this.isAtStepLimit()) return false;
    this.repeats++;
    this.trialState.totalSteps++;
    countWork(STEP_WORK);
    return true;
  }

  private isAtStepLimit(): boolean {
    return this.steps + this.repeats >= MAX_STEPS || this.trialState.totalSteps >= MAX_TRIAL_STEPS;
  }

  private stopAtStepLimit(): Signal {
    this.trialState.count(COUNTER.workflowErrored, 1);
    const text = `safety cap hit: ${stepLimitText(this.steps, this.repeats)}`;
    this.stop('errored', 'step_limit', 'workflow', errorText('workflow', text, '', this.graph.name));
    return 'ended';
  }

  private enter(): GraphNode | null {
    const { trialState } = this;
    if (this.isAtStepLimit()) {
      this.stopAtStepLimit();
      return null;
    }
    if (this.nowUs() >= this.deadlineUs) {
      this.expire();
      return null;
    }
    countWork(STEP_WORK);
    const node = this.graph.nodes[this.next] as GraphNode;
    this.node = node;
    this.lastNode = node.index;
    if (this.steps === this.path.length) this.path = longer(this.path);
    this.path[this.steps++] = node.index;
    trialState.totalSteps++;
    trialState.observedLow |= node.bitsLow;
    trialState.observedHigh |= node.bitsHigh;
    const counted = this.graph.nodeOffset + node.index;
    trialState.nodeVisits[counted] = (trialState.nodeVisits[counted] as number) + 1;
    this.visits[node.index] = (this.visits[node.index] as number) + 1;
    this.address.trial = trialState.trial;
    this.address.node = node.id;
    this.address.visit = this.visits[node.index] as number;
    this.address.attempt = 1;
    return node;
  }

  private beginStep(node: GraphNode): Planned {
    const { reads, inputs } = node;
    this.inputFromModel = false;
    this.targetFromModel = false;
    this.hasAsked = false;
    for (let i = 0; i < reads.length; i++) {
      const read = reads[i] as SlotRead;
      inputs[i] = this.context.read(read);
      if (this.context.readsModel(read)) {
        this.inputFromModel = true;
        if (i === node.target) this.targetFromModel = true;
      }
    }
    this.trialState.recorder?.event(visitEvent(this, node.type, inputs));
    return firstMove(this.graph, node, inputs);
  }

  private perform(node: GraphNode, planned: Planned): Signal | null {
    const { move } = planned;
    switch (move.kind) {
      case 'done': {
        if (!this.store(node, move.output, planned.bytes)) return this.fail(node, 'tool', walkTooLarge);
        if (move.response !== undefined) this.response = move.response;
        if (this.trialState.rules.keepBranches && this.parent === null && move.branch !== undefined) {
          this.trialState.branchNodes.push(node.index);
          this.trialState.branchLabels.push(move.branch);
        }
        this.trialState.recorder?.event(outputEvent(this, move.output, move.branch ?? null));
        return this.follow(node, planned.route, move.branch, move.output);
      }
      case 'end': {
        const completed = move.status === 'completed';
        this.trialState.count(completed ? COUNTER.workflowCompletions : COUNTER.workflowFailures, 1);
        this.context.outputs[node.index] = null;
        const reason = completed ? null : (move.reason ?? 'workflow failed');
        this.stop(move.status, completed ? 'terminate' : 'fail', null, reason);
        return 'ended';
      }
      case 'error':
        return this.retryOrFail(node, move.category, move.message, move.verbatim === true);
      case 'pause':
        return this.pause(node);
      case 'ask':
        return this.ask(node, move.request);
    }
  }

  private ask(node: GraphNode, request: Request): Signal | null {
    if (this.hasAsked && !this.countRepeat()) return this.stopAtStepLimit();
    this.hasAsked = true;
    // Between two answers of a loop only: a tool that its model chose in time is still called.
    if (node.isLoop && request.port === 'model' && this.nowUs() >= this.deadlineUs)
      return this.retryOrFail(node, 'timeout', durationText(0), false);
    this.request = request;
    if (request.port === 'children') return this.depth >= MAX_DEPTH ? this.failTooDeep(node) : 'children';
    return 'ask';
  }

  private failTooDeep(node: GraphNode): Signal {
    return this.fail(node, 'workflow', `call depth exceeded ${MAX_DEPTH} at node \`${node.id}\``);
  }

  private store(node: GraphNode, output: Json, bytes: number): boolean {
    const fromModel = node.isModel || this.inputFromModel;
    if (node.index === this.graph.triggerNode) this.context.replaceTrigger(output, fromModel);
    return this.context.store(node.index, output, bytes, fromModel);
  }

  private follow(node: GraphNode, route: Route | null, branch: string | undefined, output: Json): Signal | null {
    if (route === null) {
      return this.complete(node.hasOutEdges || branch !== undefined ? 'dead_end' : 'leaf', output, node.index);
    }
    const edge = chooseEdge(route, this.loops);
    if (edge === 'loop_spent') return this.complete('loop_spent', output, node.index);
    if ('candidates' in edge) return this.failAmbiguous(node, edge.candidates, branch);
    this.take(edge);
    return null;
  }

  // An error of the graph, not of the node: it counts neither as a failure of the node nor as an errored workflow.
  private failAmbiguous(node: GraphNode, candidates: number, branch: string | undefined): Signal {
    // As agentd writes an optional text: scenarios name it in `reason_contains`.
    const label = branch === undefined ? 'None' : `Some(${JSON.stringify(branch)})`;
    const text = `node \`${node.id}\` has ${candidates} matching out-edges for branch \`${label}\`; workflow graphs must select exactly one`;
    this.erroredNode = node.index;
    this.stop('errored', 'error', 'workflow', errorText('workflow', text, node.type, this.graph.name));
    return 'ended';
  }

  private take(edge: GraphEdge): void {
    const { trialState } = this;
    if (edge.maxIterations >= 0) this.loops[edge.index] = (this.loops[edge.index] as number) + 1;
    const counted = this.graph.edgeOffset + edge.index;
    trialState.edgeVisits[counted] = (trialState.edgeVisits[counted] as number) + 1;
    if (trialState.recorder !== null) {
      const to = (this.graph.nodes[edge.to] as GraphNode).id;
      trialState.recorder.event(edgeEvent(this, to, edge.when));
    }
    this.next = edge.to;
    this.planned = null;
  }

  private complete(by: StoppedBy, output: Json, index: number): Signal {
    this.trialState.count(COUNTER.workflowCompletions, 1);
    this.stop('completed', by, null, null);
    this.finalValue = output;
    this.finalFromModel = this.context.isFromModel(index);
    return 'ended';
  }

  private pause(node: GraphNode): Signal | null {
    const approval = this.trialState.rules.approvals.get(node.id);
    const route = node.routes.get(undefined) ?? null;
    const edge = route === null ? null : chooseEdge(route, this.loops);
    // The next node is part of what a paused run is continued from, so it is chosen before anything waits.
    if (edge !== null && typeof edge === 'object' && 'candidates' in edge) {
      return this.failAmbiguous(node, edge.candidates, undefined);
    }
    if (approval === undefined || !approval.resume) {
      this.stop('paused', 'pause', null, null);
      return 'ended';
    }
    // A resumed run starts with a fresh deadline, as one that is continued from its checkpoint does.
    this.clockUs += approval.afterUs;
    this.deadlineUs = this.nowUs() + this.trialState.rules.timeoutUs;
    return this.follow(node, route, undefined, null);
  }

  private retryOrFail(node: GraphNode, category: ErrorCategory, message: string, verbatim: boolean): Signal | null {
    const waitUs = retryWaitUs(this, node, category, this.address.attempt);
    if (waitUs === null) return this.fail(node, category, message, verbatim);
    if (this.nowUs() + waitUs > this.deadlineUs) return this.fail(node, 'timeout', durationText(waitUs));
    if (!this.countRepeat()) return this.stopAtStepLimit();
    const { trialState } = this;
    trialState.recorder?.event({ ...this.place(), kind: 'retry', waitUs, message });
    trialState.count(COUNTER.retries, 1);
    this.address.attempt++;
    if (trialState.realTime === null) this.clockUs += waitUs;
    this.planned = this.beginStep(node);
    if (trialState.realTime === null) return null;
    this.waitUs = waitUs;
    return 'wait';
  }

  private fail(node: GraphNode, category: ErrorCategory, message: string, verbatim = false): Signal {
    const { trialState } = this;
    trialState.count(COUNTER.nodeFailures, 1);
    trialState.count(COUNTER.workflowErrored, 1);
    const text = verbatim ? message : errorText(category, message, node.type, this.graph.name);
    trialState.recorder?.event({ ...this.place(), kind: 'error', category, message: text });
    this.erroredNode = node.index;
    this.stop('errored', category === 'policy' ? 'denial' : 'error', category, text);
    return 'ended';
  }
}

const walkTooLarge = `outputs kept by one walk exceed the limit of ${MAX_WALK_BYTES} bytes`;

function longer(path: Int32Array): Int32Array<ArrayBuffer> {
  const grown = new Int32Array(path.length * 4);
  grown.set(path);
  return grown;
}
