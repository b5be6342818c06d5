import { errorTextAt, numberAt, textAt } from '../../../values/json-fields.ts';
import { pairProtocol, pairsOf, scoresError, scoresReply } from './pair-scores.ts';
import type { Provider, Question, WireReply } from './protocol.ts';

/**
 * Models of entailment as Text Embeddings Inference serves classifiers: pairs of premise and hypothesis, of each of which
 * the chance of the class `entailment` is the score. A model with one class gives the chance of that.
 */
export const predictTei: Provider = pairProtocol({
  write: (question) => {
    const { claims, contexts } = pairsOf(question);
    const inputs = contexts.map((context) => [context, claims[0] ?? '']);
    return { path: '/predict', headers: {}, body: { inputs, raw_scores: false, truncate: false } };
  },
  readScores,
});

/** `[[{ label, score }]]`: a list of classes for each pair, in the order of pairs. */
function readScores(body: unknown, question: Question): WireReply {
  const { contexts } = pairsOf(question);
  if (!Array.isArray(body) || body.length === 0) return scoresError(errorTextAt(body) ?? 'the answer holds no class');
  const rows = body as readonly unknown[];
  if (rows.length !== contexts.length)
    return scoresError(`there are ${rows.length} lists of classes for ${contexts.length} pairs`);
  const scores: number[] = [];
  for (const [at, classes] of rows.entries()) {
    const list: readonly unknown[] = Array.isArray(classes) ? classes : [];
    const entailed = list.length === 1 ? list[0] : list.find((one) => isEntailment(textAt(one, 'label')));
    if (entailed === undefined) return scoresError(`none of the classes of context ${at + 1} is "entailment"`);
    const score = numberAt(entailed, 'score');
    if (score === null || score < 0 || score > 1) {
      return scoresError(`the score of context ${at + 1} is not from 0 to 1`);
    }
    scores.push(score);
  }
  // The server counts tokens nowhere.
  return scoresReply([scores], null);
}

function isEntailment(label: string | null): boolean {
  return label !== null && /^entail(?:ment|ed)?$/i.test(label.trim());
}
