import { hasChaos } from '../faults/chaos/fault-labels.ts';
import type { AgentCallPayload } from '../plugin/live-node.ts';
import type { ProxySeat, Target, TargetAnswer } from '../target/target.ts';
import type { Agent, AgentAnswer, AgentRun } from '../types/agent.ts';
import type { ScenarioPlan } from '../types/plan.ts';
import { type AgentState, probeState } from './agent-state.ts';
import { type BoundaryChaos, createBoundaryChaos } from './boundary-chaos.ts';

/** What one trial asks of an agent. */
export interface DeskCall {
  readonly payload: AgentCallPayload;
  readonly plan: ScenarioPlan;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

interface Waiting extends DeskCall {
  readonly cell: string;
  readonly settle: (run: Promise<AgentRun>) => void;
}

/** Characters of all texts of a trial together, as JSON; a value of the engine holds no more. */
const MOST_TEXT = 900_000;

export interface DeskOptions {
  /** Where its own calls are seen and broken; null: they are out of sight. */
  readonly seat: ProxySeat | null;
  /** True: it is asked in more than one column. */
  readonly isShared: boolean;
}

/** Asks one agent for one trial at a time, each in the state that its contract wants. */
export class AgentDesk {
  private readonly agent: Agent;
  private readonly target: Target;
  private readonly seat: ProxySeat | null;
  private readonly waiting: Waiting[] = [];
  private readonly chaos = new Map<number, BoundaryChaos>();
  private readonly baselines = new Map<string, string>();
  /** Columns in the order in which they were asked for first. */
  private readonly visited: { readonly contract: string; readonly column: string }[] = [];
  private state: AgentState | null = null;
  /** True: it is asked in more than one column, so that one may leave something for another. */
  private readonly isShared: boolean;
  private isBusy = false;
  /** What the agent has been asked since it was in its first state; null: nothing, or nobody knows. */
  private cell: string | null = null;

  constructor(agent: Agent, target: Target, { seat, isShared }: DeskOptions) {
    this.isShared = isShared;
    this.agent = agent;
    this.target = target;
    this.seat = seat;
  }

  /** Resolves to the answers; rejects when they say nothing about the agent. */
  run(call: DeskCall): Promise<AgentRun> {
    const { contract, column, prompts } = call.payload;
    return new Promise((resolve) => {
      this.waiting.push({ ...call, cell: JSON.stringify([contract, column, prompts]), settle: resolve });
      void this.serve();
    });
  }

  /** Columns of a contract that ran after another one, with nothing in between that brought the agent back. */
  contaminated(contract: string): readonly string[] {
    const remembers = this.state?.kind === 'remembers' || this.state?.kind === 'unclear';
    const later = remembers ? this.visited.slice(1) : [];
    return later.flatMap((visit) => (visit.contract === contract ? [visit.column] : []));
  }

  /** What calls to the same prompt showed; null: they were not made, because nothing can be left for another column. */
  get found(): AgentState | null {
    return this.state;
  }

  /** How often its process was started anew, without what it remembered. */
  get restarts(): number {
    return this.target.restarts?.() ?? 0;
  }

  async close(): Promise<void> {
    await Promise.allSettled([this.target.close(), this.seat?.close()]);
  }

  private async serve(): Promise<void> {
    if (this.isBusy) return;
    this.isBusy = true;
    for (let next = this.next(); next !== undefined; next = this.next()) {
      const run = this.answer(next);
      next.settle(run);
      await run.catch(() => undefined);
    }
    this.isBusy = false;
  }

  /** Trials of one cell follow each other where they can: each change of cells costs a reset. */
  private next(): Waiting | undefined {
    const same = this.waiting.findIndex(({ cell }) => cell === this.cell);
    return this.waiting.splice(Math.max(0, same), 1)[0];
  }

  private async answer({ payload, plan, cell, signal }: Waiting): Promise<AgentRun> {
    signal.throwIfAborted();
    this.seat?.begin(null);
    if (this.target.reset === null && this.isShared) await this.probe(payload.prompts, signal);
    if (payload.baselines) await this.askBaselines(payload.prompts, signal);
    const isDue = this.agent.isolation === 'trial' || cell !== this.cell;
    this.cell = null;
    if (isDue) await this.target.reset?.(signal);
    this.cell = cell;
    this.note(payload);
    this.seat?.begin({ plan, trial: payload.trial });
    const chaos = this.chaosOf(plan);
    chaos?.begin(payload.trial);
    const answers: AgentAnswer[] = [];
    for (const prompt of payload.prompts) answers.push(await this.ask(prompt, { chaos, signal, ...payload }));
    return bounded({ answers, fired: this.seat?.end() ?? chaos?.fired() ?? [] });
  }

  private async ask(
    prompt: string,
    {
      chaos,
      signal,
      baselines,
    }: { readonly chaos: BoundaryChaos | null; readonly signal: AbortSignal; readonly baselines: boolean },
  ): Promise<AgentAnswer> {
    const answer = await (chaos === null
      ? this.target.call(prompt, { signal })
      : chaos.ask({ ...this.target, timeoutMs: this.agent.timeoutMs }, prompt, signal));
    const seen = this.seat?.seen() ?? null;
    return {
      prompt,
      ...answer,
      tokens: seen?.tokens ?? null,
      promptTokens: seen?.promptTokens ?? null,
      completionTokens: seen?.completionTokens ?? null,
      tools: seen?.tools ?? null,
      baseline: baselines ? (this.baselines.get(prompt) ?? null) : null,
    };
  }

  /** Each prompt is asked once in a world without chaos, in the first state of the agent where that can be had. */
  private async askBaselines(prompts: readonly string[], signal: AbortSignal): Promise<void> {
    for (const prompt of prompts) {
      if (this.baselines.has(prompt)) continue;
      this.cell = null;
      const { text, error } = await this.askClean(prompt, signal);
      // One that failed is asked for again: it may have been an accident.
      if (error === null) this.baselines.set(prompt, text);
    }
  }

  private async askClean(prompt: string, signal: AbortSignal): Promise<TargetAnswer> {
    await this.target.reset?.(signal);
    return this.target.call(prompt, { signal });
  }

  private async probe(prompts: readonly string[], signal: AbortSignal): Promise<void> {
    this.state ??= await probeState(prompts, async (prompt) => {
      const { text, error } = await this.target.call(prompt, { signal });
      return error === null ? text : null;
    });
  }

  private note({ contract, column }: AgentCallPayload): void {
    const isKnown = this.visited.some((visit) => visit.contract === contract && visit.column === column);
    if (!isKnown) this.visited.push({ contract, column });
  }

  private chaosOf(plan: ScenarioPlan): BoundaryChaos | null {
    const { chaos } = plan.scenario.faults;
    // With a proxy, what is declared strikes the agent's own calls.
    if (!hasChaos(chaos) || this.seat !== null) return null;
    const known = this.chaos.get(plan.index) ?? createBoundaryChaos(chaos, plan.words);
    this.chaos.set(plan.index, known);
    return known;
  }
}

/** Texts beyond what a trial may hold become errors: a part of an answer is not judged as if it were all of it. */
function bounded(run: AgentRun): AgentRun {
  let left = MOST_TEXT;
  const keep = (text: string): boolean => {
    const size = JSON.stringify(text).length;
    if (size > left) return false;
    left -= size;
    return true;
  };
  const answers = run.answers.map((answer): AgentAnswer => {
    const baseline = answer.baseline !== null && keep(answer.baseline) ? answer.baseline : null;
    if (keep(answer.text)) return { ...answer, baseline };
    return {
      ...answer,
      text: '',
      error: `answered with more than a trial can hold (${MOST_TEXT} characters)`,
      baseline,
    };
  });
  return { ...run, answers };
}
