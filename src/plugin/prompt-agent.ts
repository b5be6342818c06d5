import type { TraceHeaders } from '../values/trace-context.ts';
import type { AgentReply } from './session-agent.ts';

/**
 * An agent that is a function: it gets what a contract asks and gives what it says. What it throws is a failure of the agent.
 * It is called on the thread that runs the suite, one question at a time unless the contract says that it is stateless.
 */
export type PromptAgent = (prompt: string, call: PromptCall) => AgentReply | Promise<AgentReply>;

/** What an agent is told besides its prompt. */
export interface PromptCall {
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  /**
   * Where the contract has a proxy, its address, such as `http://127.0.0.1:8123`: models are asked below `/v1`, tools below
   * `/tools/NAME`. Null: it has none.
   */
  readonly proxyUrl: string | null;
  /** Headers by which servers that the agent asks can tell the trial; null: the run is not traced. */
  readonly traceHeaders: TraceHeaders | null;
}
