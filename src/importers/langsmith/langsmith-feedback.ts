import type { ImportedScore } from '../../plugin/importer-type.ts';
import type { JsonObject } from '../../types/json.ts';
import { isRecord } from '../../values/is-json.ts';
import { countAt, fieldAt, listAt, numberAt, textAt } from '../../values/json-fields.ts';
import { verdictIn } from '../verdict-words.ts';

/**
 * Scores from feedback: single records and lists of the runs, else LangSmith's statistics of them. The feedback of the root
 * run comes first and decides.
 */
export function scoresOf(runs: readonly JsonObject[], feedback: readonly JsonObject[]): readonly ImportedScore[] {
  const [root] = runs;
  const listed = [...feedback, ...runs.flatMap((run) => listAt(run, 'feedback').filter(isRecord))];
  const isOfRoot = (one: unknown): boolean => textAt(one, 'run_id') === textAt(root, 'id');
  const all = [...listed.filter(isOfRoot), ...listed.filter((one) => !isOfRoot(one))].flatMap(scoreOf);
  return all.length > 0 ? all : runs.flatMap((run) => statisticsOf(fieldAt(run, 'feedback_stats')));
}

function scoreOf(feedback: unknown): readonly ImportedScore[] {
  const name = textAt(feedback, 'key');
  if (name === null) return [];
  const score = fieldAt(feedback, 'score');
  const value = fieldAt(feedback, 'value');
  const comment = textAt(feedback, 'comment');
  const answer = [score, value].find((one) => one !== null && one !== undefined);
  return [{ name, ...valued(answer), ...(comment !== null && comment !== '' && { explanation: comment }) }];
}

/** The mean where there are numbers, the label where all agree; null where an evaluator failed or labels differ. */
function statisticsOf(stats: unknown): readonly ImportedScore[] {
  if (!isRecord(stats)) return [];
  return Object.entries(stats).map(([name, one]) => {
    const mean = numberAt(one, 'avg');
    const values = fieldAt(one, 'values');
    const labels = isRecord(values) ? Object.keys(values) : [];
    const [comment] = listAt(one, 'comments');
    const failed = countAt(one, 'errors') ?? 0;
    const why =
      typeof comment === 'string' && comment !== ''
        ? comment
        : labels.length > 1
          ? `its labels differ: ${labels.join(', ')}`
          : failed > 0
            ? 'its evaluator failed'
            : null;
    const answer = mean ?? (labels.length === 1 ? labels[0] : null);
    return { name, ...valued(answer), ...(why !== null && { explanation: why }) };
  });
}

/** The score of a value. A text passes or fails where it is one of the usual words. */
function valued(answer: unknown): Pick<ImportedScore, 'value' | 'passed'> {
  if (typeof answer === 'number' && Number.isFinite(answer)) return { value: answer };
  if (typeof answer === 'boolean') return { value: answer };
  if (typeof answer !== 'string') return { value: null };
  const passed = verdictIn(answer);
  return { value: answer, ...(passed !== undefined && { passed }) };
}
