import { plainUsage } from '../../../values/message-text.ts';
import { countAt, errorTextAt, listAt, numberAt } from '../../../values/json-fields.ts';
import { pairProtocol, pairsOf, scoresError, scoresReply } from './pair-scores.ts';
import type { Provider, Question, WireReply } from './protocol.ts';

/** Rerankers as Cohere, Jina, vLLM and llama.cpp serve them: a claim is the query, and contexts are the documents. */
export const rerank: Provider = protocol((model, query, documents) => ({
  model,
  query,
  documents,
  top_n: documents.length,
}));

/** Rerankers and models of entailment as Text Embeddings Inference serves them. */
export const rerankTei: Provider = protocol((_, query, texts) => ({
  query,
  texts,
  raw_scores: false,
  truncate: false,
}));

function protocol(body: (model: string, claim: string, contexts: string[]) => Record<string, unknown>): Provider {
  return pairProtocol({
    write: (question) => {
      const { claims, contexts } = pairsOf(question);
      // Plain data by its making.
      const asked = body(question.model, claims[0] ?? '', contexts.slice()) as ReturnType<Provider['write']>['body'];
      return { path: '/rerank', headers: {}, body: asked };
    },
    readScores,
  });
}

/** `{ results: [{ index, relevance_score }] }`, or a list of `{ index, score }`, in any order. */
function readScores(body: unknown, question: Question): WireReply {
  const { contexts } = pairsOf(question);
  const results = Array.isArray(body) ? (body as readonly unknown[]) : listAt(body, 'results');
  if (results.length === 0) return scoresError(errorTextAt(body) ?? 'the answer holds no score');
  const row: (number | undefined)[] = Array.from({ length: contexts.length });
  for (const result of results) {
    const index = countAt(result, 'index');
    if (index === null || index >= row.length || row[index] !== undefined) {
      return scoresError('a score answers no context');
    }
    const score = numberAt(result, 'relevance_score') ?? numberAt(result, 'score');
    if (score === null || score < 0 || score > 1) {
      return scoresError(`the score of context ${index + 1} is not from 0 to 1`);
    }
    row[index] = score;
  }
  const scores = row.filter((score) => score !== undefined);
  if (scores.length < row.length) return scoresError(`there are ${scores.length} scores of ${row.length} contexts`);
  const tokens = countAt(body, 'usage', 'total_tokens') ?? countAt(body, 'meta', 'tokens', 'input_tokens');
  return scoresReply([scores], tokens === null ? null : plainUsage(tokens, 0));
}
