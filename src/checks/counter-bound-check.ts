import { COUNTERS, type CounterName } from '../types/scenario.ts';
import type { CheckParts } from './make-check.ts';

/** `max_…` of a counter: at most this. */
export function counterMaxCheck(counter: CounterName, bound: number): CheckParts {
  return {
    name: MAX_NAMES[counter],
    expected: bound,
    wanted: () => `at most ${bound}`,
    plain: { kind: 'bound', counter, least: Number.NEGATIVE_INFINITY, most: bound },
    holds: (view) => view.counter(counter) <= bound,
    got: (view) => view.counter(counter),
    saw: (view) => String(view.counter(counter)),
  };
}

/** `min_…` of a counter: at least this. */
export function counterMinCheck(counter: CounterName, bound: number): CheckParts {
  return {
    name: MIN_NAMES[counter],
    expected: bound,
    wanted: () => `at least ${bound}`,
    plain: { kind: 'bound', counter, least: bound, most: Number.POSITIVE_INFINITY },
    holds: (view) => view.counter(counter) >= bound,
    got: (view) => view.counter(counter),
    saw: (view) => String(view.counter(counter)),
  };
}

/** The counter's word in the file. Tokens of all kinds are `total_tokens`, as the reference calls them. */
function counterKey(counter: CounterName): string {
  if (counter === 'llmTokens') return 'total_tokens';
  return counter.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function namesOf(bound: 'max' | 'min'): Readonly<Record<CounterName, string>> {
  const names = COUNTERS.map((counter) => [counter, `${bound}_${counterKey(counter)}`]);
  return Object.fromEntries(names) as Record<CounterName, string>;
}

const MAX_NAMES = namesOf('max');
const MIN_NAMES = namesOf('min');
