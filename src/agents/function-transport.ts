import { codeOf } from '../plugin/process-code.ts';
import type { PromptAgent, PromptCall } from '../plugin/prompt-agent.ts';
import { isInPieces, readReply, wholeReply } from '../plugin/read-reply.ts';
import { unlessAborted } from '../values/unless-aborted.ts';
import type { Agent, AgentTarget } from '../types/agent.ts';
import { messageOf } from '../values/message-of.ts';
import { errorCost, NO_METADATA } from '../plugin/answer-metadata.ts';
import { callWithin } from './call-within.ts';
import type { Said } from './read-answer.ts';
import type { Target, TargetOptions, Transport } from './target.ts';
import { unusable } from './unusable.ts';

export type FunctionAgent = Extract<AgentTarget, { readonly kind: 'function' }>;

type CodeOptions = Pick<TargetOptions, 'processCode' | 'proxy'>;

/** A function of the program that made the contract. Whether it heeds its signal or not, nobody waits when its time is up. */
export function createFunctionTransport(
  { timeoutMs }: Agent,
  { code }: FunctionAgent,
  { processCode, proxy }: CodeOptions,
): Transport {
  // Whoever loaded the contract has seen that it is a function.
  const ask = codeOf(code, processCode) as PromptAgent;
  return {
    url: null,
    invoke: null,
    call: async (prompt, { signal, traceHeaders = null }) => {
      let metadata = NO_METADATA;
      const asking = async (until: AbortSignal): Promise<Said> => {
        const call: PromptCall = { signal: until, proxyUrl: proxy?.url ?? null, traceHeaders };
        try {
          const answer: unknown = await ask(prompt, call);
          const reply = readReply(isInPieces(answer) ? await wholeReply(answer, until) : answer);
          if ('problem' in reply) return { error: reply.problem };
          const { usage = null, modelCalls = null, model = null, finish = null } = reply;
          metadata = { usage, modelCalls, model, finish };
          return { text: reply.text };
        } catch (error) {
          metadata = { ...NO_METADATA, ...errorCost(error) };
          return { error: `It failed: ${messageOf(error)}` };
        }
      };
      const answer = await callWithin({ timeoutMs, signal }, (until) => beforeEnd(until, () => asking(until)));
      return { ...answer, metadata };
    },
    close: async () => undefined,
  };
}

/** Calls the function that brings an agent back. Throws where it fails, and where its time is up. */
export function resetByFunction(
  code: string,
  { timeoutMs }: Agent,
  { processCode }: CodeOptions,
): NonNullable<Target['reset']> {
  const reset = codeOf(code, processCode) as () => unknown;
  return async (signal) => {
    const { error } = await callWithin({ timeoutMs, signal }, (until) =>
      beforeEnd(until, async () => {
        try {
          await reset();
          return { text: '' };
        } catch (failure) {
          return { error: messageOf(failure) };
        }
      }),
    );
    if (error !== null) throw unusable(`The agent could not be reset: ${error}`);
  };
}

/** What a call gives, or that it gave nothing in its time. */
async function beforeEnd(until: AbortSignal, call: () => Promise<Said>): Promise<Said> {
  const said = await unlessAborted(call(), until);
  return said === 'aborted' ? { error: 'it did not answer' } : said;
}
