import type { ValidatorType } from '../../plugin/validator-type.ts';
import type { Json } from '../../types/json.ts';
import { isJsonObject } from '../../values/is-json.ts';
import { showValue } from '../show-value.ts';
import { fieldOf, joinedText, listOf, partsOf } from './answer-parts.ts';
import { FINISH_REASONS } from './response-shape.ts';

/** `finish-reason[:reason]`: the answer says why it ended; if a reason is given, it is that one. */
export const finishReason: ValidatorType = {
  kind: 'validator',
  type: 'finish-reason',
  summary: 'The answer says why it ended: for the given reason, or else for any that Genkit knows but `unknown`.',
  argument: { is: 'optional', what: `one of ${FINISH_REASONS.join(', ')}` },
  checkArgument: (argument) =>
    FINISH_REASONS.includes(argument) ? null : `A finish reason is one of ${FINISH_REASONS.join(', ')}.`,
  validate: ({ response }, argument) => {
    const reason = firstOf(response, 'finishReason');
    if (reason === undefined) return 'The answer does not say why it ended.';
    const fits = argument === null ? typeof reason === 'string' && NAMED.includes(reason) : reason === argument;
    if (fits) return null;
    return `The answer ended for the reason ${showValue(reason)}, not ${argument === null ? `one of ${NAMED.join(', ')}` : showValue(argument)}.`;
  },
};

const NAMED = FINISH_REASONS.filter((reason) => reason !== 'unknown');

/** `usage-sane`: the counts of the usage are whole and agree with each other and with the text. */
export const usageSane: ValidatorType = {
  kind: 'validator',
  type: 'usage-sane',
  summary: 'Usage is told in whole numbers from 0, the total is the sum of its parts, and text costs output.',
  argument: { is: 'none', what: '' },
  validate: ({ response }) => {
    const usage = firstOf(response, 'usage');
    if (!isJsonObject(usage)) return 'The answer tells no usage.';
    const counts = Object.keys(usage).filter((key) => key !== 'custom');
    if (counts.length === 0) return 'The usage has no counts.';
    for (const key of counts) {
      const count = usage[key] ?? null;
      if (!isCount(count)) return `The usage has no whole number from 0 as \`${key}\`: ${showValue(count)}.`;
    }
    return sumProblem(usage) ?? outputProblem(usage, joinedText(partsOf(response)));
  },
};

/** Providers count what a model thought, and what they had cached, inside input and output or beside them. */
function sumProblem(usage: Json): string | null {
  const [total, input, output] = ['totalTokens', 'inputTokens', 'outputTokens'].map((key) => fieldOf(usage, key));
  if (!isCount(total) || !isCount(input) || !isCount(output)) return null;
  const [thoughts, cached] = ['thoughtsTokens', 'cachedContentTokens'].map((key) => fieldOf(usage, key));
  let sums = [Number(input) + Number(output)];
  for (const beside of [thoughts, cached]) {
    if (isCount(beside)) sums = [...sums, ...sums.map((sum) => sum + Number(beside))];
  }
  if (sums.includes(Number(total))) return null;
  return `The usage has ${String(total)} tokens in total, but ${String(input)} of input and ${String(output)} of output.`;
}

function outputProblem(usage: Json, text: string): string | null {
  if (text === '') return null;
  const costs = ['outputTokens', 'outputCharacters'].some((key) => Number(fieldOf(usage, key) ?? 0) > 0);
  return costs ? null : 'The answer has a text, but the usage tells no `outputTokens` for it.';
}

function isCount(value: Json | undefined): value is number | bigint {
  return typeof value === 'bigint' ? value >= 0n : typeof value === 'number' && Number.isInteger(value) && value >= 0;
}

/** What the response has under `key`, or else its first candidate. */
function firstOf(response: Json, key: string): Json | undefined {
  return fieldOf(response, key) ?? fieldOf(listOf(response, 'candidates')[0], key);
}
