/** A request for scores, in the form in which it came. */
export type ScoresRequest =
  | { readonly form: 'embeddings'; readonly model: string; readonly texts: readonly string[] }
  | {
      /** `documents`: as Cohere and Jina ask. `texts`: as Text Embeddings Inference does. */
      readonly form: 'documents' | 'texts';
      readonly model: string;
      readonly query: string;
      readonly texts: readonly string[];
    }
  /** Premises and hypotheses, as Text Embeddings Inference asks classifiers. */
  | { readonly form: 'pairs'; readonly model: string; readonly pairs: readonly (readonly [string, string])[] };

const MOST_TEXTS = 10_000;
/** Of a vector: words share a place by chance, now and then. */
const PLACES = 256;

/** The request for embeddings or for scores of a reranker, or what is wrong with it. */
export function readScoresRequest(path: 'embeddings' | 'rerank' | 'predict', text: string): ScoresRequest | string {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return 'The request is no JSON.';
  }
  if (typeof body !== 'object' || body === null) return 'The request is no JSON object.';
  const { model = 'fair', input, inputs, query, documents, texts } = body as Readonly<Record<string, unknown>>;
  if (typeof model !== 'string' || model === '') return '`model` must be a text.';
  if (path === 'embeddings') {
    const list = typeof input === 'string' ? [input] : input;
    return isTexts(list) ? { form: 'embeddings', model, texts: list } : '`input` must be a text, or a list of texts.';
  }
  if (path === 'predict') {
    return isPairs(inputs) ? { form: 'pairs', model, pairs: inputs } : '`inputs` must be a list of pairs of texts.';
  }
  if (typeof query !== 'string') return '`query` must be a text.';
  const form = texts === undefined ? 'documents' : 'texts';
  const list = texts ?? documents;
  return isTexts(list) ? { form, model, query, texts: list } : `\`${form}\` must be a list of texts that is not empty.`;
}

/** The answer to it: vectors of words, or the share of the query's words that each text has. No model takes part. */
export function fakeScores(request: ScoresRequest): object {
  if (request.form === 'pairs') return request.pairs.map(classesOf);
  const { model, texts } = request;
  const tokens = texts.reduce((sum, text) => sum + wordsOf(text).length, 0);
  if (request.form === 'embeddings') {
    const data = texts.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text) }));
    return { object: 'list', data, model, usage: { prompt_tokens: tokens, total_tokens: tokens } };
  }
  const wanted = new Set(wordsOf(request.query));
  const scored = texts.map((text, index) => ({ index, score: shareOf(wanted, text) }));
  // Best first, as rerankers answer.
  const ranked = scored.toSorted((a, b) => b.score - a.score);
  if (request.form === 'texts') return ranked;
  const results = ranked.map(({ index, score }) => ({ index, relevance_score: score }));
  return { model, results, usage: { total_tokens: tokens + wanted.size } };
}

/** Whatever is not entailed is neutral: words that are counted contradict nothing. */
function classesOf([premise, hypothesis]: readonly [string, string]): object {
  const score = shareOf(new Set(wordsOf(hypothesis)), premise);
  return [
    { score, label: 'entailment' },
    { score: 1 - score, label: 'neutral' },
    { score: 0, label: 'contradiction' },
  ];
}

function isPairs(value: unknown): value is readonly (readonly [string, string])[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.length <= MOST_TEXTS &&
    value.every((pair) => isTexts(pair) && pair.length === 2)
  );
}

function isTexts(value: unknown): value is readonly string[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.length <= MOST_TEXTS &&
    value.every((text) => typeof text === 'string')
  );
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function shareOf(wanted: ReadonlySet<string>, text: string): number {
  const words = new Set(wordsOf(text));
  return wanted.size === 0 ? 0 : [...wanted].filter((word) => words.has(word)).length / wanted.size;
}

/** How often each word stands there, at the place that its hash gives it (FNV-1a). */
function vectorOf(text: string): readonly number[] {
  const vector = Array.from({ length: PLACES }, () => 0);
  for (const word of wordsOf(text)) {
    let hash = 0x811c9dc5;
    for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
    const place = (hash >>> 0) % PLACES;
    vector[place] = (vector[place] ?? 0) + 1;
  }
  return vector;
}
