import { randomUUID } from 'node:crypto';
import type { TargetAnswer } from '../agents/target.ts';
import { NO_METADATA } from '../plugin/answer-metadata.ts';
import type { SaidMessage, SessionAnswer } from '../types/agent.ts';
import type { TraceHeaders } from '../values/trace-context.ts';
import type { AgentConnection, AgentConnections } from './agent-connections.ts';
import { AgentReach } from './agent-reach.ts';
import { isTooLong, TOO_LONG } from './bounded-run.ts';

/** One message to an agent in a session. */
export interface SessionQuestion {
  /** As `begin` named it. */
  readonly session: string;
  readonly messages: readonly SaidMessage[];
  readonly system: string | null;
  readonly toolsUrl: string | null;
  readonly modelUrl: string | null;
  /** Which trial it is; undefined: the agent is not told. */
  readonly traceHeaders: TraceHeaders | undefined;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

/** Asks one agent, message after message of any number of sessions. */
export class SessionClient {
  readonly reach = new AgentReach();
  private readonly connections: AgentConnections;

  constructor(connections: AgentConnections) {
    this.connections = connections;
  }

  /** When there is room for one session more, which is left with `leave`. Rejects with the signal's reason. */
  enter(signal: AbortSignal): Promise<void> {
    return this.connections.enter(signal);
  }

  leave(): void {
    this.connections.leave();
  }

  /** Resolves to the name of a session that has room, once the agent is ready for it; rejects where it cannot be had. */
  async begin(signal: AbortSignal): Promise<string> {
    await this.connections.prepare(signal);
    await this.connections.use(({ target }) => this.reach.reset(async () => target.reset?.(signal)));
    // No two sessions that a server ever sees may share it, so it is not drawn from the seed.
    return randomUUID();
  }

  /** Resolves to the answer, or to why there is none; rejects when that says nothing about the agent. */
  async ask(question: SessionQuestion): Promise<SessionAnswer> {
    const answer = await this.connections.use((connection) => this.askOn(connection, question));
    const { text, error, metadata } = answer;
    const said = isTooLong(text) ? { text: '', error: TOO_LONG } : { text, error };
    const { usage, modelCalls, model, finish } = metadata ?? NO_METADATA;
    return {
      ...said,
      usage,
      ...(modelCalls !== null && { modelCalls }),
      model,
      ...(finish !== null && { finish }),
    };
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

  private async askOn(
    { target }: AgentConnection,
    { session: id, messages, system, toolsUrl, modelUrl, traceHeaders, signal }: SessionQuestion,
  ): Promise<TargetAnswer> {
    signal.throwIfAborted();
    return this.reach.ask(async () => {
      const prompt = messages.at(-1)?.content ?? '';
      return target.call(prompt, {
        signal,
        session: { id, system, messages, toolsUrl, modelUrl },
        traceHeaders,
      });
    });
  }
}
