import type { TokenPrice } from '../../types/invariant.ts';
import type { Given, Rule } from './given.ts';

/** `latency`: the answer took this long at most. */
export function maxLatencyRule(maxMs: number): Rule {
  return measureRule({ most: maxMs, read: ({ latencyMs }) => latencyMs, show: (ms) => `${ms} ms`, unseen: 'no time' });
}

/** `max_tokens`: tokens of prompts and answers together. */
export function maxTokensRule(most: number): Rule {
  return measureRule({
    most,
    read: ({ tokens }) => tokens,
    show: (count) => `${count} tokens`,
    unseen: 'no count of tokens',
  });
}

/** `max_cost`: what prompts and answers of the trial cost together, in nano-USD. */
export function maxCostRule(most: number, price?: TokenPrice): Rule {
  return measureRule({
    most,
    read: (given) => (price === undefined ? null : costIn(given, price)),
    // Prices go down to thousandths of what sums are bounded in.
    show: (nanoUsd) => `$${(nanoUsd / 1e9).toFixed(12).replace(/\.?0+$/, '')}`,
    unseen: 'no cost',
  });
}

/** In whole thousandths, so that a sum that is just the bound is not beyond it. */
function costIn({ promptTokens, completionTokens }: Given, price: TokenPrice): number | null {
  if (promptTokens === null || completionTokens === null) return null;
  const [input, output] = [Math.round(price.inputNanoUsd * 1000), Math.round(price.outputNanoUsd * 1000)];
  return (promptTokens * input + completionTokens * output) / 1000;
}

interface Measure {
  readonly most: number;
  readonly read: (given: Given) => number | null;
  readonly show: (value: number) => string;
  readonly unseen: string;
}

/** At most this much, the bound included. What nobody measured is not known to be within it, nor beyond. */
function measureRule({ most, read, show, unseen }: Measure): Rule {
  return {
    needsAnswer: true,
    onEnding: false,
    expected: most,
    wanted: `at most ${show(most)}`,
    wantedNot: `more than ${show(most)}`,
    holds: (given) => {
      const value = read(given);
      return value === null ? null : value <= most;
    },
    got: read,
    saw: (given) => {
      const value = read(given);
      return value === null ? unseen : show(value);
    },
  };
}
