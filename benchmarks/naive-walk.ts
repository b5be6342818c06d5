import { builtinNodes } from '../src/engine/builtin.ts';
import { compileJsonSchema } from '../src/engine/compile-json-schema.ts';
import type { Move, Read, Step } from '../src/plugin/node-type.ts';
import type { ChildResult, ChildrenRequest, Reply } from '../src/plugin/request.ts';
import type { Json } from '../src/types/json.ts';
import type { ErrorCategory, HttpResponse, StoppedBy, SubjectStatus } from '../src/types/trial.ts';
import type { Workflow, WorkflowEdge, WorkflowNode } from '../src/types/workflow.ts';
import { entryOf, fullText, lookUpPath, retryWaitUs, shortDuration, triggerOf } from './naive-rules.ts';
import { NaiveBroken, type NaiveWorld } from './naive-world.ts';

/** How a walk ended. */
export interface NaiveEnd {
  readonly status: SubjectStatus;
  readonly stoppedBy: StoppedBy;
  readonly reason: string | null;
  readonly category: ErrorCategory | null;
  readonly finalValue: Json;
  readonly response: HttpResponse | null;
}

interface Frame {
  /** Key in the scenario's children; `''`: the top-level workflow. */
  readonly key: string;
  readonly workflow: Workflow;
  /** `''`, or the nodes and elements that lead here. */
  readonly name: string;
  readonly depth: number;
  readonly clockUs: number;
  readonly deadlineUs: number;
}

type Failure = Extract<Move, { readonly kind: 'error' }>;
type Settled = Exclude<Move, { readonly kind: 'ask' }> | { readonly kind: 'capped' };

const COMPOSITION = ['call', 'parallel', 'map'];

/** One walk over one workflow. */
export class NaiveWalk {
  readonly path: string[] = [];
  /** Outputs by node id. */
  readonly outputs = new Map<string, Json>();
  /** How often each node was visited. */
  private readonly visits = new Map<string, number>();
  readonly branches: { readonly node: string; readonly branch: string }[] = [];
  clockUs: number;
  /** The node that errored; null: none did. */
  erroredNode: string | null = null;
  private readonly world: NaiveWorld;
  private readonly frame: Frame;
  private readonly steps: ReadonlyMap<string, Step>;
  private readonly loops = new Map<WorkflowEdge, number>();
  private deadlineUs: number;
  private payload: Json = null;
  private trigger: Json = null;
  private response: HttpResponse | null = null;
  private repeats = 0;

  constructor(world: NaiveWorld, frame: Frame) {
    this.world = world;
    this.frame = frame;
    this.clockUs = frame.clockUs;
    this.deadlineUs = frame.deadlineUs;
    this.steps = world.kept.once(frame.workflow, () => buildSteps(frame.workflow, world));
  }

  async run(start: string | undefined, kind: string, payload: Json): Promise<NaiveEnd> {
    const { workflow } = this.frame;
    const { counters } = this.world;
    this.payload = payload;
    this.trigger = triggerOf(kind, payload);
    let next = entryOf(workflow, start);
    for (;;) {
      if (this.isAtLimit()) return this.capped();
      if (this.clockUs >= this.deadlineUs) {
        counters.workflowTimeouts++;
        return ended('timed_out', 'timeout');
      }
      const node = nodeOf(workflow, next);
      this.path.push(node.id);
      this.visits.set(node.id, (this.visits.get(node.id) ?? 0) + 1);
      this.world.countVisit(this.frame.key, node.id);
      if (node.type === 'pause_for_approval') {
        const resumed = this.pause(node);
        if (typeof resumed !== 'string') return resumed;
        next = resumed;
        continue;
      }
      counters.nodeExecutions++;
      const move = await this.execute(node);
      if (move.kind === 'capped') return this.capped();
      if (move.kind === 'error') return this.failNode(node, move);
      if (move.kind === 'pause') throw new Error(`node type ${node.type} may not pause`);
      if (move.kind === 'end') {
        this.outputs.set(node.id, null);
        return this.endBy(move.status, move.reason ?? 'workflow failed');
      }
      this.outputs.set(node.id, move.output);
      if (node.id === 'trigger') this.trigger = move.output;
      if (move.branch !== undefined) this.branches.push({ node: node.id, branch: move.branch });
      if (move.response !== undefined) this.response = move.response;
      const chosen = this.choose(node, move.branch, move.output);
      if (typeof chosen !== 'string') return chosen;
      next = chosen;
    }
  }

  // 5.2: what an error, a terminate or fail node, a dead end and the step cap do to the counters.
  private failNode(node: WorkflowNode, { category, message }: Failure): NaiveEnd {
    this.world.counters.nodeFailures++;
    this.world.counters.workflowErrored++;
    this.erroredNode = node.id;
    return { ...ended('errored', category === 'policy' ? 'denial' : 'error'), category, reason: message };
  }

  private endBy(status: 'completed' | 'failed', reason: string): NaiveEnd {
    if (status === 'failed') {
      this.world.counters.workflowFailures++;
      return { ...ended('failed', 'fail'), reason };
    }
    this.world.counters.workflowCompletions++;
    return { ...ended('completed', 'terminate'), response: this.response };
  }

  // 5.6: each visit is a step, and so is each retry and each further request of one attempt.
  private isAtLimit(): boolean {
    return this.path.length + this.repeats >= 10_000 || this.world.steps >= 1_000_000;
  }

  private capped(): NaiveEnd {
    this.world.counters.workflowErrored++;
    const bound = this.limitText();
    const reason = fullText('workflow', `safety cap hit: ${bound}`, '', this.frame.workflow.name);
    return { ...ended('errored', 'step_limit'), category: 'workflow', reason };
  }

  private limitText(): string {
    const { repeats } = this;
    if (this.path.length + repeats < 10_000) return '1000000 steps in one trial';
    if (repeats === 0) return 'engine walked 10000 nodes without reaching a terminal outcome';
    return `10000 steps in one walk, of which ${repeats} are retries or repeated requests`;
  }

  /** False: no step is left. */
  private repeat(): boolean {
    if (this.isAtLimit()) return false;
    this.repeats++;
    this.world.steps++;
    return true;
  }

  // 5.8: the next node is chosen before the walk stops or waits.
  private pause(node: WorkflowNode): string | NaiveEnd {
    const { scenario } = this.world.plan;
    const approval = Object.hasOwn(scenario.subject.world.approvals, node.id)
      ? scenario.subject.world.approvals[node.id]
      : undefined;
    if (this.open(node, undefined).length > 1) return this.choose(node, undefined, null);
    if (approval?.decision !== 'resume') return ended('paused', 'pause');
    this.clockUs += approval.afterMs * 1000;
    this.deadlineUs = this.clockUs + scenario.timeoutMs * 1000;
    return this.choose(node, undefined, null);
  }

  // 3.13
  private choose(node: WorkflowNode, branch: string | undefined, output: Json): string | NaiveEnd {
    const { workflow, key } = this.frame;
    const open = this.open(node, branch);
    const [edge] = open;
    if (edge === undefined) {
      this.world.counters.workflowCompletions++;
      const out = workflow.edges.filter((candidate) => candidate.from === node.id);
      const unanswered = out.length > 0 || branch !== undefined ? 'dead_end' : 'leaf';
      const stoppedBy = out.some((candidate) => candidate.when === branch) ? 'loop_spent' : unanswered;
      return { ...ended('completed', stoppedBy), finalValue: output, response: this.response };
    }
    if (open.length > 1) {
      this.erroredNode = node.id;
      const label = branch === undefined ? 'None' : `Some(${JSON.stringify(branch)})`;
      const text = `node \`${node.id}\` has ${open.length} matching out-edges for branch \`${label}\`; workflow graphs must select exactly one`;
      const reason = fullText('workflow', text, node.type, workflow.name);
      return { ...ended('errored', 'error'), category: 'workflow', reason };
    }
    this.loops.set(edge, (this.loops.get(edge) ?? 0) + 1);
    this.world.countEdge(key, workflow.edges.indexOf(edge));
    return edge.to;
  }

  /** Out-edges that answer the branch and, where they are loop edges, may still be followed. */
  private open(node: WorkflowNode, branch: string | undefined): readonly WorkflowEdge[] {
    return this.frame.workflow.edges.filter(
      (edge) =>
        edge.from === node.id &&
        edge.when === branch &&
        (edge.maxIterations === undefined || (this.loops.get(edge) ?? 0) < edge.maxIterations),
    );
  }

  // 5.6
  private async execute(node: WorkflowNode): Promise<Settled> {
    const { name, depth } = this.frame;
    const isComposition = COMPOSITION.includes(node.type);
    if (isComposition && depth + 1 > 8)
      return this.error(node, 'workflow', `call depth exceeded 8 at node \`${node.id}\``);
    const visit = this.visits.get(node.id) ?? 0;
    for (let attempt = 1; ; attempt++) {
      const move = await this.attempt(node);
      if (move.kind !== 'error') return move;
      const failure: Failure = move.verbatim === true ? move : this.error(node, move.category, move.message);
      if (isComposition) return failure;
      const at = { walk: name, node: node.id, visit, attempt };
      const waitUs = retryWaitUs(node.retry, failure.category, at, this.world);
      if (waitUs === null) return failure;
      if (this.clockUs + waitUs > this.deadlineUs) return this.error(node, 'timeout', shortDuration(waitUs));
      if (!this.repeat()) return { kind: 'capped' };
      this.clockUs += waitUs;
      this.world.counters.retries++;
    }
  }

  private error({ type }: WorkflowNode, category: ErrorCategory, message: string): Failure {
    return { kind: 'error', category, message: fullText(category, message, type, this.frame.workflow.name) };
  }

  private async attempt(node: WorkflowNode): Promise<Settled> {
    const step = this.steps.get(node.id);
    if (step === undefined) throw new Error(`no step for node ${node.id}`);
    let move = step.begin(step.reads.map((read) => this.read(read)));
    for (let asked = 0; move.kind === 'ask'; asked++) {
      if (asked > 0 && !this.repeat()) return { kind: 'capped' };
      const { request, state } = move;
      // 3.11: between two turns of a loop, before each model request.
      if (node.type === 'agent_loop' && request.port === 'model' && this.clockUs >= this.deadlineUs) {
        return { kind: 'error', category: 'timeout', message: '0ns' };
      }
      const reply = request.port === 'children' ? await this.runChildren(node, request) : await this.ask(node, request);
      if (step.after === undefined) throw new Error(`node type ${node.type} asks without going on`);
      move = step.after(state, reply);
    }
    return move;
  }

  private async ask(node: WorkflowNode, request: Parameters<NaiveWorld['ask']>[0]): Promise<Reply> {
    const { reply, delayUs } = await this.world.ask(request, node);
    this.clockUs += delayUs;
    if (reply.kind === 'broken') throw new NaiveBroken(reply.message);
    return reply;
  }

  // 3.4
  private read(read: Read): Json | undefined {
    if (read.from === 'payload') return this.payload;
    const [root = '', ...rest] = read.path.split('.');
    return lookUpPath(root === 'trigger' ? this.trigger : this.outputs.get(root), rest);
  }

  // 3.10: a group starts together and takes as long as its slowest member.
  private async runChildren(node: WorkflowNode, { runs, maxConcurrent }: ChildrenRequest): Promise<Reply> {
    const results: ChildResult[] = [];
    for (let from = 0; from < runs.length; from += maxConcurrent) {
      let lastUs = this.clockUs;
      for (const [offset, { workflow: key, start, input }] of runs.slice(from, from + maxConcurrent).entries()) {
        const { name, depth } = this.frame;
        const child = new NaiveWalk(this.world, {
          key,
          workflow: this.world.child(key),
          name: `${name === '' ? '' : `${name}/`}${node.id}[${from + offset}]`,
          depth: depth + 1,
          clockUs: this.clockUs,
          deadlineUs: this.deadlineUs,
        });
        try {
          results.push(resultOf(await child.run(start, 'manual', input)));
        } finally {
          lastUs = Math.max(lastUs, child.clockUs);
        }
      }
      this.clockUs = lastUs;
    }
    return { kind: 'children', results };
  }
}

function ended(status: SubjectStatus, stoppedBy: StoppedBy): NaiveEnd {
  return { status, stoppedBy, reason: null, category: null, finalValue: null, response: null };
}

function resultOf(end: NaiveEnd): ChildResult {
  switch (end.status) {
    case 'completed':
      return { kind: 'completed', value: end.finalValue };
    case 'failed':
      return { kind: 'failed', reason: end.reason ?? '' };
    case 'errored':
      return { kind: 'error', category: end.category ?? 'workflow', message: end.reason ?? '' };
    case 'timed_out':
    case 'paused':
      return { kind: end.status };
  }
}

function buildSteps(workflow: Workflow, { plan: { scenario } }: NaiveWorld): ReadonlyMap<string, Step> {
  return new Map(
    workflow.nodes.map((node) => {
      const nodeType = builtinNodes.find(({ type }) => type === node.type);
      if (nodeType === undefined) throw new Error(`no node type ${node.type}`);
      const view = {
        id: node.id,
        workflow: workflow.name,
        // 3.10: a child runs on its parent's engine, with that one's backends and servers.
        backends: ['default', ...scenario.subject.workflow.backends.map(({ name }) => name)],
        mcpServers: scenario.subject.workflow.mcpServers.map((server) => server.name),
        compileSchema: compileJsonSchema,
      };
      return [node.id, nodeType.create(node.config, view)];
    }),
  );
}

function nodeOf({ nodes }: Workflow, id: string): WorkflowNode {
  const node = nodes.find((candidate) => candidate.id === id);
  if (node === undefined) throw new Error(`no node ${id}`);
  return node;
}
