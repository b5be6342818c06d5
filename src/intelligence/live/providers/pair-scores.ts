import type { Message } from '../../../types/message.ts';
import { writeJson } from '../../../values/exact-json.ts';
import type { Provider, Question, StreamReader, WireReply } from './protocol.ts';

/** What a model that scores pairs is shown: claims, and the contexts that each of them is paired with. */
export interface Pairs {
  readonly claims: readonly string[];
  readonly contexts: readonly string[];
}

/** Questions to such models are two messages, of claims and of contexts, one part each. */
export function pairsOf({ messages }: Pick<Question, 'messages'>): Pairs {
  const [claims, contexts] = messages.map(textsOf);
  return { claims: claims ?? [], contexts: contexts ?? [] };
}

/** The answer with a row of scores for each claim, a score for each context. */
export function scoresReply(
  rows: readonly (readonly number[])[],
  usage: Extract<WireReply, { kind: 'answer' }>['usage'],
): WireReply {
  const text = writeJson({ scores: rows.map((row) => row.slice()) });
  return { kind: 'answer', parts: [{ kind: 'text', text }], finish: 'stop', usage };
}

export function scoresError(message: string): WireReply {
  return { kind: 'error', message, usage: null };
}

/** A protocol of such models, by what it asks and how it reads the scores. */
export function pairProtocol(parts: Pick<Provider, 'write' | 'readScores'>): Provider {
  return {
    baseUrl: null,
    apiKeyEnv: null,
    keyHeader: (key) => ['authorization', `Bearer ${key}`],
    lacks: ['seed', 'stop', 'reasoningEffort', 'temperature', 'topP', 'maxTokens', 'stream'],
    written: null,
    read: noWords,
    openStream: noStream,
    ...parts,
  };
}

/** Such a model says no word. */
function noWords(): WireReply {
  return scoresError('it scores pairs, and answers nothing else');
}

/** Scores come whole. */
function noStream(): StreamReader {
  return { take: () => [], end: () => scoresError('scores are not streamed') };
}

function textsOf({ parts }: Message): readonly string[] {
  return parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []));
}
