import { type CompiledChaos, compileChaos } from '../faults/chaos/compile-chaos.ts';
import { isPromptAttack } from '../faults/chaos/context-attack-types.ts';
import { hasChaos } from '../faults/chaos/fault-labels.ts';
import type { SeenTokens, TargetAnswer } from '../agents/target.ts';
import type { Agent, AgentAnswer, AgentRun } from '../types/agent.ts';
import type { Chaos } from '../types/chaos.ts';
import type { AgentPlan, ScenarioPlan } from '../types/plan.ts';
import { headersOfRun } from '../values/trace-context.ts';
import { AgentControls, type Visit } from './agent-controls.ts';
import type { AgentConnection, AgentConnections } from './agent-connections.ts';
import { AgentReach } from './agent-reach.ts';
import { AgentSight } from './agent-sight.ts';
import { boundedRun } from './bounded-run.ts';
import { type BoundaryChaos, createBoundaryChaos, type StruckCall } from './boundary-chaos.ts';

/** What one trial asks of an agent. */
export interface AgentTrial {
  readonly plan: AgentPlan;
  readonly trial: number;
  /** What is asked in this trial: those of the plan, or what a model made of them. */
  readonly prompts: readonly string[];
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

export interface ClientOptions {
  readonly connections: AgentConnections;
  /** True: it is asked in more than one column. */
  readonly isShared: boolean;
  /** The run that the agent is told of; null: it is told nothing. */
  readonly traceRun: string | null;
}

/** Asks one agent: trial after trial, in the order in which they come, or several at a time where it keeps no state. */
export class AgentClient {
  readonly reach = new AgentReach();
  /** Null: nothing can be left for another column. */
  readonly controls: AgentControls | null;
  private readonly agent: Agent;
  private readonly connections: AgentConnections;
  private readonly chaos = new Map<number, CompiledChaos | null>();
  private readonly baselines = new Map<string, Promise<string | null>>();
  private readonly sight: AgentSight;
  private readonly traceRun: string | null;
  /** Who asks control questions now: the trial that enters a column. */
  private present: { readonly connection: AgentConnection; readonly signal: AbortSignal } | null = null;
  /** What the agent has been asked since it was in its first state; null: nothing, or nobody knows. */
  private cell: string | null = null;

  constructor(agent: Agent, { connections, isShared, traceRun }: ClientOptions) {
    this.agent = agent;
    this.connections = connections;
    this.traceRun = traceRun;
    this.sight = new AgentSight(agent.target.kind);
    this.controls =
      isShared && agent.atOnce === null
        ? new AgentControls({ ask: (prompt) => this.askControl(prompt), hasReset: agent.reset !== null })
        : null;
  }

  /** Resolves to the answers; rejects when they say nothing about the agent. */
  async run(call: AgentTrial): Promise<AgentRun> {
    const { plan, trial } = call;
    const chaos = this.chaosOf(plan, trial);
    // What a proxy sees belongs to one trial, so its prompts share a connection.
    if (this.agent.atOnce === null || this.agent.proxy !== null) {
      return this.connections.use((connection) => this.runOn(connection, call, chaos));
    }
    const answers = await Promise.all(
      call.prompts.map((prompt) => {
        const struck = chaos?.next(prompt, this.url) ?? null;
        return this.connections.use(async (connection) => {
          const baseline = await this.baseline(connection, prompt, call);
          return this.ask(connection, { prompt, struck, baseline, ...call });
        });
      }),
    );
    return boundedRun({ answers, fired: chaos?.fired() ?? [] });
  }

  /** Columns of a contract whose answers may depend on what an earlier one left. */
  contaminated(contract: string): readonly string[] {
    const visits = this.controls?.visits ?? [];
    return visits.flatMap((visit) => (visit.contract === contract && visit.isDoubtful ? [visit.column] : []));
  }

  /** How often its process was started anew, without what it remembered. */
  get restarts(): number {
    return this.connections.restarts;
  }

  /** True: the time of a process was up in its first call. */
  get wasLateAtFirst(): boolean {
    return this.connections.wasLateAtFirst;
  }

  close(): Promise<void> {
    return this.connections.close();
  }

  private get url(): string | null {
    return this.connections.url;
  }

  private async runOn(connection: AgentConnection, call: AgentTrial, chaos: BoundaryChaos | null): Promise<AgentRun> {
    const { trial, plan, prompts, signal } = call;
    signal.throwIfAborted();
    connection.proxy?.begin(null);
    if (this.agent.atOnce === null) await this.enter(connection, call);
    const baselines: (string | null)[] = [];
    for (const prompt of prompts) baselines.push(await this.baseline(connection, prompt, call));
    if (this.agent.atOnce === null) await this.bringBack(connection, call);
    connection.proxy?.begin({ plan, trial });
    const answers: AgentAnswer[] = [];
    for (const [at, prompt] of prompts.entries()) {
      const struck = chaos?.next(prompt, connection.proxy === null ? this.url : null) ?? null;
      answers.push(await this.ask(connection, { prompt, struck, baseline: baselines[at] ?? null, ...call }));
    }
    return boundedRun({ answers, fired: sums(chaos?.fired() ?? [], connection.proxy?.end() ?? []) });
  }

  /** Asks control questions where a column begins. */
  private async enter(connection: AgentConnection, { plan, signal }: AgentTrial): Promise<void> {
    if (this.controls === null || this.reach.gone !== null || cellOf(plan) === this.cell) return;
    // What is asked besides could call tools, which a replay never does.
    if (plan.scenario.faults.chaos?.recorded !== undefined) return;
    this.cell = null;
    this.present = { connection, signal };
    await this.controls.enter(columnOf(plan), entered(plan));
  }

  /** Brings the agent into the state that the trial begins in. */
  private async bringBack({ target }: AgentConnection, { plan, signal }: AgentTrial): Promise<void> {
    const cell = cellOf(plan);
    const isDue = this.agent.isolation === 'trial' || cell !== this.cell;
    this.cell = null;
    if (isDue) await this.reach.reset(async () => target.reset?.(signal));
    this.cell = cell;
  }

  private async ask(
    connection: AgentConnection,
    { prompt, struck, baseline, plan, trial, signal }: Asking,
  ): Promise<AgentAnswer> {
    signal.throwIfAborted();
    const headers = headersOfRun(this.traceRun, plan.scenario.name, trial);
    const call = (text: string, options: Parameters<typeof this.call>[2]): Promise<TargetAnswer> =>
      this.call(connection, text, { ...options, traceHeaders: headers });
    const answer =
      struck === null
        ? { isAsked: true, struck: 0, struckBy: [], sent: null, ...(await call(prompt, { signal })) }
        : await struck.ask({ call, timeoutMs: this.agent.timeoutMs }, signal);
    const { struck: seenStruck, ...seen } = this.sight.see(connection.proxy?.seen() ?? null);
    const { sent, isAsked, text, error, latencyMs, struckBy, metadata } = answer;
    const usage = seen.tokens === null ? tokensOf(metadata) : {};
    const struckAll = answer.struck | seenStruck;
    const said = { prompt, sent, struckBy, asked: isAsked, text, error, latencyMs, struck: struckAll };
    return { ...said, ...seen, ...usage, baseline };
  }

  private async call(
    { target }: AgentConnection,
    prompt: string,
    options: Parameters<AgentConnection['target']['call']>[1],
  ): Promise<TargetAnswer> {
    const call = (): Promise<TargetAnswer> => target.call(prompt, options);
    return options.instead === undefined ? this.reach.ask(call) : call();
  }

  /** The answer to a prompt in a world without chaos, in the first state of the agent where that can be had; asked for once. */
  private async baseline(
    connection: AgentConnection,
    prompt: string,
    { plan, signal }: AgentTrial,
  ): Promise<string | null> {
    if (!plan.scenario.subject.baselines) return null;
    let baseline = this.baselines.get(prompt);
    if (baseline === undefined) {
      this.cell = null;
      baseline = this.askClean(connection, prompt, signal);
      this.baselines.set(prompt, baseline);
    }
    try {
      const text = await baseline;
      // One that failed is asked for again: it may have been an accident.
      if (text === null) this.baselines.delete(prompt);
      return text;
    } catch (error) {
      this.baselines.delete(prompt);
      throw error;
    }
  }

  private async askControl(prompt: string): Promise<string | null> {
    if (this.present === null || this.reach.gone !== null) return null;
    return this.askClean(this.present.connection, prompt, this.present.signal);
  }

  private async askClean(connection: AgentConnection, prompt: string, signal: AbortSignal): Promise<string | null> {
    await this.reach.reset(async () => connection.target.reset?.(signal));
    const { text, error } = await this.call(connection, prompt, { signal });
    return error === null ? text : null;
  }

  private chaosOf({ scenario, words, index }: ScenarioPlan, trial: number): BoundaryChaos | null {
    let compiled = this.chaos.get(index);
    if (compiled === undefined) {
      const { chaos } = scenario.faults;
      compiled = hasChaos(chaos) ? atBoundary(compileChaos(chaos, words), this.agent) : null;
      this.chaos.set(index, compiled);
    }
    return compiled === null ? null : createBoundaryChaos(compiled, trial);
  }
}

/** With a proxy, what is declared strikes the agent's own calls; what attacks a prompt strikes at its input as well. */
function atBoundary(chaos: CompiledChaos, { proxy }: Agent): CompiledChaos {
  if (proxy === null) return chaos;
  return { ...chaos, tools: [], models: [], attacks: chaos.attacks.filter(({ fault }) => isPromptAttack(fault)) };
}

/** What nobody saw, the agent may say itself. */
function tokensOf(metadata: TargetAnswer['metadata']): Partial<SeenTokens> {
  if (metadata === undefined || metadata.usage === null) return {};
  const { promptTokens, completionTokens } = metadata.usage;
  return { tokens: promptTokens + completionTokens, promptTokens, completionTokens };
}

interface Asking extends AgentTrial {
  readonly prompt: string;
  readonly struck: StruckCall | null;
  readonly baseline: string | null;
}

/** Where a scenario stands for itself, it is a contract of one column. */
export function columnOf({ scenario: { name, part } }: AgentPlan): Visit {
  return { contract: part?.of ?? name, column: part?.kind === 'contract' ? part.column : name };
}

function cellOf(plan: AgentPlan): string {
  const { contract, column } = columnOf(plan);
  return JSON.stringify([contract, column, plan.scenario.subject.prompts]);
}

/** What a column puts before the agent, which a clean answer cannot hold unless it remembers. */
function entered({ scenario }: AgentPlan): Parameters<AgentControls['enter']>[1] {
  const chaos: Partial<Chaos> = scenario.faults.chaos ?? {};
  const { prompts } = scenario.subject;
  const payloads = (chaos.contextAttacks ?? []).flatMap((attack) => attack.payloads);
  return { prompts, foreign: [...prompts.slice(1), ...payloads] };
}

function sums(a: readonly number[], b: readonly number[]): readonly number[] {
  const [longer, other] = a.length >= b.length ? [a, b] : [b, a];
  return longer.map((count, at) => count + (other[at] ?? 0));
}
