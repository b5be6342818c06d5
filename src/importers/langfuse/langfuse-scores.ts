import type { ImportedScore } from '../../plugin/importer-type.ts';
import type { JsonObject } from '../../types/json.ts';
import { fieldAt, textAt } from '../../values/json-fields.ts';
import { verdictIn } from '../verdict-words.ts';

/** Scores of a trace, those of the trace as a whole before those of its parts. */
export function langfuseScores(scores: readonly JsonObject[]): readonly ImportedScore[] {
  const isOfPart = (score: JsonObject): boolean => textAt(score, 'observationId') !== null;
  return [...scores.filter((score) => !isOfPart(score)), ...scores.filter(isOfPart)].flatMap((score) => {
    const name = textAt(score, 'name');
    const comment = textAt(score, 'comment');
    if (name === null) return [];
    return [{ name, ...scoredValue(score), ...(comment !== null && comment !== '' && { explanation: comment }) }];
  });
}

/** A boolean is 1 or 0 beside its text; a category is a text, and means success where it is one of the usual words. */
function scoredValue(score: JsonObject): Pick<ImportedScore, 'value' | 'passed'> {
  const value = fieldAt(score, 'value');
  const type = textAt(score, 'dataType');
  const label = type === 'CATEGORICAL' ? (textAt(score, 'stringValue') ?? value) : value;
  if (type === 'BOOLEAN') return { value: value === 1 || value === true || textAt(score, 'stringValue') === 'True' };
  if (typeof label === 'number' && Number.isFinite(label)) return { value: label };
  if (typeof label === 'boolean') return { value: label };
  if (typeof label !== 'string') return { value: null };
  const passed = verdictIn(label);
  return { value: label, ...(passed !== undefined && { passed }) };
}
