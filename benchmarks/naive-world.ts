import { textOf } from '../src/values/message-text.ts';
import type { Denial, SentRequest } from '../src/checks/check.ts';
import { createWorld } from '../src/effects/create-world.ts';
import type { TrialWorld } from '../src/effects/trial-world.ts';
import { builtinFaults } from '../src/faults/builtin.ts';
import { type CannedModel, createCannedModel } from '../src/intelligence/canned-model.ts';
import type { Answer, ChildrenRequest, ModelRequest, Request } from '../src/plugin/request.ts';
import { createPolicy, type PolicyGate } from '../src/policy/create-policy.ts';
import type { WorkflowPlan } from '../src/types/plan.ts';
import { type CounterName, COUNTERS, type ErrorCategory } from '../src/types/trial.ts';
import type { Workflow, WorkflowNode } from '../src/types/workflow.ts';
import type { NaiveKept } from './naive-kept.ts';

/** All counters by name. */
export type NaiveCounters = Record<CounterName, number>;

/** Nothing was declared that could answer: the trial is broken. */
export class NaiveBroken extends Error {}

/** What the walks of one trial share, made anew for each trial: the outside, and what is counted. */
export class NaiveWorld {
  readonly plan: WorkflowPlan;
  readonly trial: number;
  readonly kept: NaiveKept;
  readonly counters = Object.fromEntries(COUNTERS.map((name) => [name, 0])) as NaiveCounters;
  readonly nodeVisits: number[];
  readonly edgeVisits: number[];
  readonly served: number[];
  readonly prompts: { readonly node: string; readonly text: string }[] = [];
  readonly requests: SentRequest[] = [];
  readonly denials: Denial[] = [];
  readonly files: TrialWorld;
  /** Of all walks: visits, retries and further requests. */
  steps = 0;
  private readonly workflows: ReadonlyMap<string, Workflow>;
  private readonly policy: PolicyGate;
  private readonly model: CannedModel;

  constructor(plan: WorkflowPlan, trial: number, kept: NaiveKept) {
    const { scenario } = plan;
    const { faults } = scenario;
    const { workflow, children, turns, policy, world: declared } = scenario.subject;
    const megabytes = workflow.budget?.maxFsWriteMb;
    this.plan = plan;
    this.trial = trial;
    this.kept = kept;
    this.workflows = new Map([['', workflow], ...Object.entries(children)]);
    const all = [...this.workflows.values()];
    this.nodeVisits = all.flatMap(({ nodes }) => nodes.map(() => 0));
    this.edgeVisits = all.flatMap(({ edges }) => edges.map(() => 0));
    this.served = turns.flatMap(({ variants }) => variants.map(() => 0));
    this.policy = kept.once('policy', () => createPolicy(policy, { mcpServers: workflow.mcpServers }));
    const world = kept.once('world', () =>
      createWorld(declared, {
        mcpServers: workflow.mcpServers.map((server) => server.name),
        ...(megabytes === undefined ? {} : { maxWrittenBytes: megabytes * 1024 * 1024 }),
      }),
    );
    this.files = world.open();
    this.model = kept.once('model', () =>
      createCannedModel({
        turns,
        sampler: plan.sampler,
        words: plan.words,
        faults: new Map(builtinFaults.map((fault) => [fault.type, fault])),
        intelErrorOnCall: faults.intelErrorOnCall,
      }),
    );
    this.model.begin(trial);
  }

  child(key: string): Workflow {
    const workflow = this.workflows.get(key);
    if (workflow === undefined) throw new Error(`no child workflow ${key}`);
    return workflow;
  }

  countVisit(key: string, id: string): void {
    this.steps++;
    const at = this.child(key).nodes.findIndex((node) => node.id === id);
    add(this.nodeVisits, this.offset(key, ({ nodes }) => nodes.length) + at);
  }

  countEdge(key: string, at: number): void {
    add(this.edgeVisits, this.offset(key, ({ edges }) => edges.length) + at);
  }

  /** Decision 2: the subject's policy first, then what stands in for the outside. */
  async ask(request: Exclude<Request, ChildrenRequest>, node: WorkflowNode): Promise<Answer> {
    const { counters } = this;
    if (request.port === 'model') return this.askModel(request, node);
    if (request.port === 'host') throw new Error('no function of a host is here');
    if (request.port === 'client') throw new Error('no real server is here to ask');
    if (node.type === 'agent_loop') counters.toolCalls++;
    const denial = this.policy.decide(request, (path) => this.files.resolve(path));
    if (denial !== null) {
      counters.policyDenials++;
      this.denials.push({ node: node.id, message: denial });
      return refused('policy', denial);
    }
    if ('invalid' in request && request.invalid !== undefined) return refused('tool', request.invalid);
    if (request.port !== 'file' && request.port !== 'env') this.requests.push({ node: node.id, request });
    const answer = this.files.answer(request);
    if (request.port === 'file' && request.op === 'write' && answer.reply.kind === 'value') {
      counters.writtenBytes += (answer.reply.value as { readonly bytes: number }).bytes;
    }
    return answer;
  }

  // 3.9, 5.5: refused before the request when the budget is spent; counted when it succeeds.
  private async askModel(request: ModelRequest, node: WorkflowNode): Promise<Answer> {
    const { counters, model, trial } = this;
    const most = this.plan.scenario.subject.workflow.budget?.maxLlmTokens ?? Infinity;
    if (counters.llmTokens >= most) {
      const text = `budget.max_llm_tokens exceeded: ${counters.llmTokens} / ${most} tokens consumed`;
      const refusal = refused('tool', text);
      return { ...refusal, reply: { ...refusal.reply, spent: true } } as Answer;
    }
    if (request.repair) counters.repairs++;
    this.prompts.push({ node: node.id, text: request.messages.map(({ parts }) => textOf(parts)).join('\n') });
    const answer = model.answer(request, {
      trial,
      walk: '',
      node: node.id,
      visit: 1,
      attempt: 1,
      call: 1,
      fromModel: false,
    });
    if (model.served >= 0) add(this.served, model.served);
    if (answer.fault !== null) counters.faults++;
    if (answer.reply.kind === 'model') {
      const { promptTokens = 0, completionTokens = 0 } = answer.reply.usage ?? {};
      counters.llmCalls++;
      counters.promptTokens += promptTokens;
      counters.completionTokens += completionTokens;
      counters.llmTokens += promptTokens + completionTokens;
    }
    return answer;
  }

  private offset(key: string, size: (workflow: Workflow) => number): number {
    let offset = 0;
    for (const [candidate, workflow] of this.workflows) {
      if (candidate === key) return offset;
      offset += size(workflow);
    }
    throw new Error(`no workflow ${key}`);
  }
}

function refused(category: ErrorCategory, message: string): Answer {
  const denied = category === 'policy';
  return { reply: { kind: 'error', category, message, denied }, delayUs: 0, source: 'none', fault: null };
}

function add(counts: number[], at: number): void {
  counts[at] = (counts[at] ?? 0) + 1;
}
