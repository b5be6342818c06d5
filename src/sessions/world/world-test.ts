import type { Json } from '../../types/json.ts';
import type { WorldTest } from '../../types/session.ts';
import { deepEqual } from '../../values/deep-equal.ts';
import { isJsonArray } from '../../values/is-json.ts';

/** Whether a value passes; undefined: there is none. Numbers compare with numbers and texts with texts only. */
export function passes(test: WorldTest, value: Json | undefined): boolean {
  switch (test.kind) {
    case 'exists':
      return (value !== undefined) === test.exists;
    case 'equals':
      return value !== undefined && deepEqual(value, test.value);
    case 'not_equals':
      return value === undefined || !deepEqual(value, test.value);
    case 'above':
      return isAbove(value, test.value);
    case 'below':
      return isAbove(test.value, value);
    case 'in':
      return value !== undefined && isJsonArray(test.values) && test.values.some((one) => deepEqual(value, one));
  }
}

function isAbove(value: Json | undefined, bound: Json | undefined): boolean {
  if (typeof value === 'string' && typeof bound === 'string') return value > bound;
  return isNumber(value) && isNumber(bound) && value > bound;
}

function isNumber(value: Json | undefined): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}
