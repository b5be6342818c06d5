import { COUNTER_KEYS, type CounterName } from '../types/trial.ts';
import type { CheckParts } from './make-check.ts';

/** `max_…` of a counter: at most this. */
export function counterMaxCheck(counter: CounterName, most: number): CheckParts {
  return {
    name: COUNTER_KEYS[counter].max,
    expected: most,
    wanted: `at most ${most}`,
    plain: { kind: 'bound', counter, least: Number.NEGATIVE_INFINITY, most },
    holds: (view) => view.counter(counter) <= most,
    got: (view) => view.counter(counter),
    saw: (view) => String(view.counter(counter)),
  };
}

/** `min_…` of a counter: at least this. */
export function counterMinCheck(counter: CounterName, least: number): CheckParts {
  return {
    name: COUNTER_KEYS[counter].min,
    expected: least,
    wanted: `at least ${least}`,
    plain: { kind: 'bound', counter, least, most: Number.POSITIVE_INFINITY },
    holds: (view) => view.counter(counter) >= least,
    got: (view) => view.counter(counter),
    saw: (view) => String(view.counter(counter)),
  };
}
