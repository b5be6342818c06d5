import type { TokenPrice } from '../../types/invariant.ts';
import type { JudgedAnswer, Rule } from './rule.ts';
import type { InvariantType, RuleOf } from './invariant-type.ts';

/** `latency`: the answer took this long at most. */
export const latency: InvariantType<RuleOf<'latency'>> = {
  kind: 'invariant',
  type: 'latency',
  summary: 'The answer took so long at most.',
  create: ({ maxMs }) =>
    measureRule({ most: maxMs, read: ({ latencyMs }) => latencyMs, show: (ms) => `${ms} ms`, unseen: 'no time' }),
};

const NO_TOKENS =
  'the tokens of its model calls were not seen; send them through the proxy, to a model that tells its usage';

/** `max_tokens`: tokens of prompts and answers together. */
export const maxTokens: InvariantType<RuleOf<'max_tokens'>> = {
  kind: 'invariant',
  type: 'max_tokens',
  summary: 'Prompts and answers of the trial had so many tokens at most.',
  undecided: NO_TOKENS,
  create: ({ max }) =>
    measureRule({
      most: max,
      read: ({ tokens }) => tokens,
      show: (count) => `${count} tokens`,
      unseen: 'no count of tokens',
    }),
};

/** `max_cost`: what prompts and answers of the trial cost together, in nano-USD. */
export const maxCost: InvariantType<RuleOf<'max_cost'>> = {
  kind: 'invariant',
  type: 'max_cost',
  summary: 'Prompts and answers of the trial cost so much at most.',
  undecided: NO_TOKENS,
  create: ({ maxNanoUsd, price }) =>
    measureRule({
      most: maxNanoUsd,
      read: (answer) => (price === undefined ? null : costIn(answer, price)),
      // Prices go down to thousandths of what sums are bounded in.
      show: (nanoUsd) => `$${(nanoUsd / 1e9).toFixed(12).replace(/\.?0+$/, '')}`,
      unseen: 'no cost',
    }),
};

/** In whole thousandths, so that a sum that is just the bound is not beyond it. */
function costIn({ promptTokens, completionTokens }: Measured, price: TokenPrice): number | null {
  if (promptTokens === null || completionTokens === null) return null;
  const [input, output] = [Math.round(price.inputNanoUsd * 1000), Math.round(price.outputNanoUsd * 1000)];
  return (promptTokens * input + completionTokens * output) / 1000;
}

/** What is measured of an answer. */
type Measured = Pick<JudgedAnswer, 'latencyMs' | 'tokens' | 'promptTokens' | 'completionTokens'>;

interface Measure {
  readonly most: number;
  readonly read: (answer: Measured) => number | null;
  readonly show: (value: number) => string;
  readonly unseen: string;
}

/**
 * At most this much, the bound included. What nobody measured is not known to be within it, nor beyond, unless the part of it
 * that was told is beyond it already.
 */
function measureRule({ most, read, show, unseen }: Measure): Rule {
  const leastOf = ({ atLeast = null, latencyMs }: JudgedAnswer): number | null =>
    atLeast === null ? null : read({ ...atLeast, latencyMs });
  const measure = (answer: JudgedAnswer): number | null => read(answer) ?? leastOf(answer);
  return {
    needsAnswer: true,
    onEnding: false,
    expected: most,
    wanted: `at most ${show(most)}`,
    wantedNot: `more than ${show(most)}`,
    holds: (answer) => {
      const value = measure(answer);
      if (value !== null && value > most) return false;
      return read(answer) === null ? null : true;
    },
    got: measure,
    saw: (answer) => {
      const value = measure(answer);
      if (value === null) return unseen;
      return read(answer) === null ? `${show(value)} or more` : show(value);
    },
  };
}
