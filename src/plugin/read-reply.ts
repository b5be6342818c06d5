import { isRecord } from '../values/is-json.ts';
import { isCount } from '../values/is-count.ts';
import type { AnswerUsage } from '../types/agent.ts';
import type { FinishReason } from '../types/message.ts';
import type { Count } from '../types/numbers.ts';
import { type AnswerCost, answerMetadata, NO_METADATA } from './answer-metadata.ts';
import { finishOf } from './finish-reason.ts';

/** Characters of an answer. */
const MOST_CHARACTERS = 1024 * 1024;

/** What code of the user answered a message with, or why that is no answer. */
export type Reply =
  | {
      readonly text: string;
      readonly usage?: AnswerUsage;
      readonly modelCalls?: Count;
      readonly model?: string;
      readonly finish?: FinishReason;
    }
  | { readonly problem: string };

type Stream = AsyncIterable<unknown>;

type Fields = Readonly<Record<string, unknown>>;

/** An answer whose text is not whole yet. */
export type ReplyInPieces = Stream | (Fields & { readonly text: Stream }) | StreamedResult;

/** What a result of the AI SDK that streams says besides its text comes when that is whole. */
type StreamedResult = Fields & { readonly textStream: Stream };

export function isInPieces(reply: unknown): reply is ReplyInPieces {
  // The text of a result that streams is not asked for: it is a promise that fails by itself.
  return isStream(reply) || (isRecord(reply) && (isStreamed(reply) || isStream(reply['text'])));
}

/** Reads the pieces of an answer to their end, or for as long as somebody waits and the text may be longer. */
export async function wholeReply(reply: ReplyInPieces, signal: AbortSignal): Promise<unknown> {
  let text = '';
  for await (const piece of streamOf(reply)) {
    if (typeof piece !== 'string') throw new TypeError('a piece of its answer is no text.');
    text += piece;
    if (text.length > MOST_CHARACTERS || signal.aborted) break;
  }
  if (isStream(reply)) return text;
  if (!isStreamed(reply)) return { ...reply, text };
  // Its other promises wait for the end of the stream.
  return signal.aborted || text.length > MOST_CHARACTERS ? text : { ...(await factsOf(reply)), text };
}

/** Throws where the stream ended because its model failed, which it does not say itself. */
async function factsOf({ totalUsage, steps, finishReason }: StreamedResult): Promise<Fields> {
  const facts = await Promise.all([totalUsage, steps, finishReason]);
  if (facts[2] === 'error') throw new Error('its stream ended with an error.');
  return { totalUsage: facts[0], steps: facts[1], finishReason: facts[2] };
}

function streamOf(reply: ReplyInPieces): Stream {
  if (isStream(reply)) return reply;
  return isStreamed(reply) ? reply.textStream : (reply.text as Stream);
}

function isStreamed(reply: Fields): reply is StreamedResult {
  return isStream(reply['textStream']);
}

/** What an answer that is whole says. Code of the user is not typed when it runs. */
export function readReply(answer: unknown): Reply {
  if (typeof answer === 'string') return said(answer);
  if (!isRecord(answer) || typeof answer['text'] !== 'string') {
    const what = answer === null ? 'null' : Array.isArray(answer) ? 'a list' : typeof answer;
    return { problem: `It answered with ${isRecord(answer) ? 'an object without `text`' : what}.` };
  }
  // Results of frameworks have these on their classes.
  const { model, usage: last, totalUsage, steps, modelCalls: reported, finishReason } = answer;
  const finish = finishOf(finishReason);
  const isTold = last !== undefined || totalUsage !== undefined || steps !== undefined;
  const cost: AnswerCost = isTold ? answerMetadata({ usage: last, totalUsage, steps }) : NO_METADATA;
  const { usage } = cost;
  const modelCalls = isCount(reported) ? reported : cost.modelCalls;
  return {
    ...said(answer['text']),
    ...(usage !== null && { usage }),
    ...(modelCalls !== null && { modelCalls }),
    ...(typeof model === 'string' && { model }),
    ...(finish !== undefined && { finish }),
  };
}

function said(text: string): Reply {
  return text.length <= MOST_CHARACTERS
    ? { text }
    : { problem: `It answered with ${text.length} characters; at most ${MOST_CHARACTERS} are read.` };
}

function isStream(value: unknown): value is Stream {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
