import { randomUUID } from 'node:crypto';
import type { TargetAnswer } from '../agents/target.ts';
import type { SaidMessage, SessionAnswer } from '../types/agent.ts';
import type { TraceHeaders } from '../values/trace-context.ts';
import type { AgentConnection, AgentConnections } from './agent-connections.ts';
import { AgentReach } from './agent-reach.ts';
import { isTooLong, TOO_LONG } from './bounded-run.ts';

/** One message to an agent in a session. */
export interface SessionQuestion {
  /** Null: it is the session's first. */
  readonly session: string | null;
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

  /** Resolves to the answer, or to why there is none; rejects when that says nothing about the agent. */
  async ask(question: SessionQuestion): Promise<SessionAnswer> {
    // No two sessions that a server ever sees may share it, so it is not drawn from the seed.
    const session = question.session ?? randomUUID();
    const answer = await this.connections.use((connection) => this.askOn(connection, session, question));
    const { text, error, cost } = answer;
    const said = isTooLong(text) ? { text: '', error: TOO_LONG } : { text, error };
    return { session, ...said, usage: cost?.usage ?? null, model: cost?.model ?? null };
  }

  /** How often its process was started anew, without what it remembered. */
  get restarts(): number {
    return this.connections.restarts;
  }

  close(): Promise<void> {
    return this.connections.close();
  }

  private async askOn(
    { target }: AgentConnection,
    id: string,
    { session, messages, system, toolsUrl, modelUrl, traceHeaders, signal }: SessionQuestion,
  ): Promise<TargetAnswer> {
    signal.throwIfAborted();
    return this.reach.ask(async () => {
      if (session === null) await target.reset?.(signal);
      const prompt = messages.at(-1)?.content ?? '';
      return target.call(prompt, {
        signal,
        session: { id, system, messages, toolsUrl, modelUrl },
        traceHeaders,
      });
    });
  }
}
