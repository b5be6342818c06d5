import type { ImportedScore } from '../../plugin/importer-type.ts';
import type { JsonObject } from '../../types/json.ts';
import { isRecord } from '../../values/is-json.ts';
import { fieldAt } from '../../values/json-fields.ts';

/** The ending that Helicone gives names of scores that are true or false. */
const BOOLEAN = /-hcone-bool$/;
const FEEDBACK = 'helicone-score-feedback';

/** Scores and feedback of requests. Those of the last request decide, because it ends the session. */
export function requestScores(requests: readonly JsonObject[]): readonly ImportedScore[] {
  return requests.toReversed().flatMap((request) => {
    const table = request['scores'];
    const scores = isRecord(table) ? Object.entries(table as JsonObject).flatMap(scoreOf) : [];
    const rating = fieldAt(request, 'feedback_rating') ?? fieldAt(request, 'feedback', 'rating');
    const isRated = typeof rating === 'boolean' && !scores.some(({ name }) => name === 'feedback');
    return isRated ? [...scores, { name: 'feedback', value: rating }] : scores;
  });
}

function scoreOf([key, score]: readonly [string, unknown]): readonly ImportedScore[] {
  const value = fieldAt(score, 'value') ?? score;
  const isBoolean = BOOLEAN.test(key) || key === FEEDBACK || fieldAt(score, 'valueType') === 'boolean';
  const name = key === FEEDBACK ? 'feedback' : key.replace(BOOLEAN, '');
  if (typeof value === 'boolean') return [{ name, value }];
  if (typeof value !== 'number' || !Number.isFinite(value)) return [{ name, value: null }];
  return [{ name, value: isBoolean ? value === 1 : value }];
}
