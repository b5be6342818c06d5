import { plainUsage } from '../../../values/message-text.ts';
import { countAt, errorTextAt, fieldAt, listAt } from '../../../values/json-fields.ts';
import { pairProtocol, pairsOf, scoresError, scoresReply } from './pair-scores.ts';
import type { Provider, Question, WireReply } from './protocol.ts';

/** OpenAI's embeddings, as many servers speak them. The score of a pair is the cosine of its vectors; below 0 it is 0. */
export const embeddings: Provider = pairProtocol({
  write: (question) => {
    const { claims, contexts } = pairsOf(question);
    return { path: '/embeddings', headers: {}, body: { model: question.model, input: [...claims, ...contexts] } };
  },
  readScores,
});

function readScores(body: unknown, question: Question): WireReply {
  const { claims, contexts } = pairsOf(question);
  const wanted = claims.length + contexts.length;
  const vectors: (readonly number[] | undefined)[] = Array.from({ length: wanted });
  const data = listAt(body, 'data');
  if (data.length === 0) return scoresError(errorTextAt(body) ?? 'the answer holds no embedding');
  for (const [at, item] of data.entries()) {
    // One that is not understood may be that of another text.
    const index = (fieldAt(item, 'index') ?? null) === null ? at : countAt(item, 'index');
    if (index === null) return scoresError(`the index of embedding ${at} is no number of a text`);
    const vector = listAt(item, 'embedding');
    if (vector.length === 0 || !vector.every(isNumber)) return scoresError(`embedding ${index} is no list of numbers`);
    if (vector.every((value) => value === 0)) {
      return scoresError(`embedding ${index} is nothing but 0, which is like no text`);
    }
    if (index >= wanted || vectors[index] !== undefined) return scoresError(`embedding ${index} answers no text`);
    vectors[index] = vector;
  }
  const length = vectors[0]?.length;
  if (vectors.some((vector) => vector === undefined || vector.length !== length)) {
    return scoresError(`there are not ${wanted} embeddings of one length`);
  }
  if (vectors.every((vector) => isSame(vector, vectors[0])) && holdApart([...claims, ...contexts])) {
    return scoresError('its embeddings are all the same, of texts that have no word in common');
  }
  const [of, against] = [vectors.slice(0, claims.length), vectors.slice(claims.length)];
  const rows = of.map((claim) => against.map((context) => cosine(claim ?? [], context ?? [])));
  const tokens = countAt(body, 'usage', 'prompt_tokens') ?? countAt(body, 'usage', 'total_tokens');
  return scoresReply(rows, tokens === null ? null : plainUsage(tokens, 0));
}

/** True: one of the texts has no word of another one. Of two ways to say the same a model may have one embedding. */
function holdApart(texts: readonly string[]): boolean {
  const words = texts.map((text) => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu)));
  const [first = new Set<string>()] = words;
  return words.some((others) => [...others].every((word) => !first.has(word)));
}

function isSame(one: readonly number[] = [], other: readonly number[] = []): boolean {
  return one.every((value, at) => value === other[at]);
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

/** From 0 to 1. */
function cosine(a: readonly number[], b: readonly number[]): number {
  // Divided by the largest, so that no square is infinite.
  const [one, other] = [scaled(a), scaled(b)];
  const size = Math.sqrt(dot(one, one)) * Math.sqrt(dot(other, other));
  return size === 0 ? 0 : Math.min(1, Math.max(0, dot(one, other) / size));
}

function scaled(vector: readonly number[]): readonly number[] {
  const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return largest === 0 ? vector : vector.map((value) => value / largest);
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
}
