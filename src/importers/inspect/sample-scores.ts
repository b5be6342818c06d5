import type { ImportedScore } from '../../plugin/importer-type.ts';
import { fieldAt, textAt } from '../../values/json-fields.ts';
import { isRecord } from '../../values/is-json.ts';
import type { LogFacts } from './inspect-log.ts';

/**
 * The scores of a sample in the order of its scorers, the headline of the log first. A score with several values becomes
 * several scores: `SCORER/KEY`.
 */
export function sampleScores(sample: unknown, { headline, scorer }: LogFacts): readonly ImportedScore[] {
  const all = fieldAt(sample, 'scores');
  const only = fieldAt(sample, 'score');
  const byScorer = isRecord(all) ? Object.entries(all) : isRecord(only) ? [[scorer ?? 'score', only] as const] : [];
  const scores = byScorer.flatMap(([name, score]) => scoresOf(name, score));
  const counts = ({ name }: ImportedScore): boolean =>
    headline !== null && (name === headline || name.startsWith(`${headline}/`) || name.endsWith(`/${headline}`));
  return [...scores.filter(counts), ...scores.filter((score) => !counts(score))];
}

function scoresOf(name: string, score: unknown): readonly ImportedScore[] {
  const value = fieldAt(score, 'value');
  const explanation = explanationOf(score);
  const scoreOf = (scoreName: string, one: unknown): ImportedScore => ({
    name: scoreName,
    ...verdictOf(one),
    ...(explanation !== null && { explanation }),
  });
  if (typeof value !== 'object' || value === null) return [scoreOf(name, value)];
  return Object.entries(value).map(([key, one]: [string, unknown]) => scoreOf(`${name}/${key}`, one));
}

/** As in Inspect's `value_to_float`: C, P, I and N are 1, 0.5, 0 and 0. N, no answer, and I, a wrong one, stay apart. */
function verdictOf(value: unknown): Pick<ImportedScore, 'value' | 'passed'> {
  if (value === 'C') return { value, passed: true };
  if (value === 'I' || value === 'N') return { value, passed: false };
  if (value === 'P') return { value: 0.5 };
  if (typeof value === 'boolean') return { value };
  if (typeof value === 'number') return { value: Number.isFinite(value) ? value : null };
  if (typeof value !== 'string') return { value: null };
  const word = value.toLowerCase();
  if (word === 'yes' || word === 'true') return { value, passed: true };
  if (word === 'no' || word === 'false') return { value, passed: false };
  const number = value.trim() === '' ? Number.NaN : Number(value);
  return { value: Number.isFinite(number) ? number : value };
}

function explanationOf(score: unknown): string | null {
  const answer = textAt(score, 'answer');
  const reason = textAt(score, 'reason') ?? textAt(score, 'metadata', 'unscored_reason');
  const explanation =
    textAt(score, 'explanation') ?? (answer === null ? null : `the answer was ${JSON.stringify(answer)}`);
  return reason === null ? explanation : explanation === null ? reason : `${reason}: ${explanation}`;
}
