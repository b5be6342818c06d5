import type { Given, Rule } from './given.ts';

/** `latency`: the answer, or the lack of one, took this long at most. */
export function maxLatencyRule(maxMs: number): Rule {
  return measureRule({ most: maxMs, read: ({ latencyMs }) => latencyMs, show: (ms) => `${ms} ms`, unseen: 'no time' });
}

/** `max_tokens`: tokens of prompts and answers together. */
export function maxTokensRule(most: number): Rule {
  const rule = measureRule({
    most,
    read: ({ tokens }) => tokens,
    show: (count) => `${count} tokens`,
    unseen: 'no count of tokens: the subject does not tell, so send its model calls through the proxy',
  });
  return { ...rule, mostTokens: most };
}

/** `max_cost`: in nano-USD. */
export function maxCostRule(most: number): Rule {
  return measureRule({
    most,
    read: ({ cost }) => cost,
    show: (nanoUsd) => `$${(nanoUsd / 1e9).toFixed(9).replace(/\.?0+$/, '')}`,
    unseen: 'no cost: nobody knows a price for the tokens of this subject, so bound them with max_tokens',
  });
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
    onAnswer: false,
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
      if (value !== null) return show(value);
      return given.problem === null ? unseen : `${unseen} (${given.problem})`;
    },
  };
}
