import type { ImportedScore } from '../../plugin/importer-type.ts';
import { fieldAt, textAt } from '../../values/json-fields.ts';
import { isRecord } from '../../values/is-json.ts';
import type { LogFacts } from './inspect-log.ts';

/**
 * The scores of a sample in the order of its scorers, the one that the log makes its headline first. A score that has several
 * values is several: `SCORER/KEY`.
 */
export function sampleScores(sample: unknown, { headline, scorer }: LogFacts): readonly ImportedScore[] {
  const all = fieldAt(sample, 'scores');
  const only = fieldAt(sample, 'score');
  const named = isRecord(all) ? Object.entries(all) : isRecord(only) ? [[scorer ?? 'score', only] as const] : [];
  const scores = named.flatMap(([name, score]) => scoresOf(name, score));
  const counts = ({ name }: ImportedScore): boolean =>
    headline !== null && (name === headline || name.startsWith(`${headline}/`) || name.endsWith(`/${headline}`));
  return [...scores.filter(counts), ...scores.filter((score) => !counts(score))];
}

function scoresOf(name: string, score: unknown): readonly ImportedScore[] {
  const value = fieldAt(score, 'value');
  const explanation = explanationOf(score);
  const told = (own: string, one: unknown): ImportedScore => ({
    name: own,
    ...verdictOf(one),
    ...(explanation !== null && { explanation }),
  });
  if (typeof value !== 'object' || value === null) return [told(name, value)];
  return Object.entries(value).map(([key, one]: [string, unknown]) => told(`${name}/${key}`, one));
}

/** As Inspect's `value_to_float` has it: C, P, I and N are 1, 0.5, 0 and 0, where no answer and a wrong one are told apart. */
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
  const said = textAt(score, 'explanation') ?? (answer === null ? null : `the answer was ${JSON.stringify(answer)}`);
  return reason === null ? said : said === null ? reason : `${reason}: ${said}`;
}
