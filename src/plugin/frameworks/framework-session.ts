import { writeJson } from '../../values/exact-json.ts';
import type { Json } from '../../types/json.ts';
import type { FinishReason } from '../../types/message.ts';
import type { AgentReplyFacts, AgentSession, AgentTokens } from '../session-agent.ts';

/** A session as an agent of a framework sees it: its tools are the framework's. */
export interface FrameworkSession<Tools> extends Omit<AgentSession, 'tools'> {
  /** The tools of the session, as the framework has them. */
  readonly tools: Tools;
}

/** What one call of a model took; null: its answer does not say. */
export type CallUsage = AgentTokens | null;

/** What the agent says to the user. Sums what its calls of models took, which is unknown where one of them does not say. */
export function replyOf(
  text: string,
  {
    calls,
    model,
    finish,
  }: { readonly calls: readonly CallUsage[]; readonly model: unknown; readonly finish: FinishReason | null },
): AgentReplyFacts {
  const usage = sumOf(calls);
  return {
    text,
    ...(usage !== null && { usage }),
    ...(calls.length > 0 && { modelCalls: calls.length }),
    ...(typeof model === 'string' && model !== '' && { model }),
    ...(finish !== null && { finishReason: finish }),
  };
}

function sumOf(calls: readonly CallUsage[]): CallUsage {
  const reported = calls.filter((usage) => usage !== null);
  if (reported.length === 0 || reported.length < calls.length) return null;
  return {
    promptTokens: reported.reduce((sum, { promptTokens }) => sum + promptTokens, 0),
    completionTokens: reported.reduce((sum, { completionTokens }) => sum + completionTokens, 0),
  };
}

/** What a call took, of the two numbers that frameworks give; null where one of them is unknown. */
export function usageOf(promptTokens: unknown, completionTokens: unknown): CallUsage {
  return typeof promptTokens === 'number' && typeof completionTokens === 'number'
    ? { promptTokens, completionTokens }
    : null;
}

/** What a tool gave, as text: some frameworks take lists and objects of certain shapes for parts of a message. */
export function resultText(result: Json): string {
  return typeof result === 'string' ? result : writeJson(result);
}

/** Whether an error tells the agent what went wrong. By its name: a module may have another copy of the class. */
export function isToolError(error: unknown): error is Error {
  return error instanceof Error && error.name === 'ToolError';
}
