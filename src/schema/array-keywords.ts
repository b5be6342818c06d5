import type { Json } from '../types/json.ts';
import { isJsonArray } from '../values/is-json.ts';
import { jsonText } from '../values/json-text.ts';
import type { Checking, Evaluated, Explaining, Keyword, Rule } from './rule.ts';
import { under, type Violation, violation } from './violation.ts';

/** `rules`: by position; `rest`: of all items after those; null: nothing is said of them. */
export function items(rules: readonly Rule[], rest: Rule | null): Keyword {
  const ruleAt = (index: number): Rule | null => rules[index] ?? rest;
  return onArray({
    holds: (value, check, evaluated) => {
      const end = rest === null ? Math.min(value.length, rules.length) : value.length;
      for (let index = 0; index < end; index++) {
        const rule = ruleAt(index);
        if (rule !== null && !check.fits(rule, value[index] as Json)) return false;
        evaluated?.items.add(index);
      }
      return true;
    },
    explain: (value, explanation) =>
      explanation.each(value.entries(), ([index, item]) => {
        const rule = ruleAt(index);
        return rule === null ? [] : inside(index, item, rule, explanation);
      }),
  });
}

/** So many items fit `rule`, at least and at most. */
export function contains(rule: Rule, least: number, most: number): Keyword {
  const fitting = (value: readonly Json[], check: Checking, evaluated: Evaluated | null): number => {
    let count = 0;
    for (const [index, item] of value.entries()) {
      if (!check.fits(rule, item)) continue;
      count++;
      evaluated?.items.add(index);
    }
    return count;
  };
  return onArray({
    holds: (value, check, evaluated) => {
      const count = fitting(value, check, evaluated);
      return count >= least && count <= most;
    },
    explain: (value, { check }) => {
      const count = fitting(value, check, null);
      return [violation(value, { keyword: 'contains', least, most, count })];
    },
  });
}

export function itemCount(keyword: 'minItems' | 'maxItems', limit: number): Keyword {
  return onArray({
    holds: ({ length }) => (keyword === 'minItems' ? length >= limit : length <= limit),
    explain: (value) => [violation(value as Json, { keyword, limit })],
  });
}

export function uniqueItems(): Keyword {
  return onArray({
    holds: (value, check) => repeated(value, check, 1).length === 0,
    explain: (value, { check, most }) =>
      repeated(value, check, most).flatMap((index) =>
        under(index, [violation(value[index] as Json, { keyword: 'uniqueItems' })]),
      ),
  });
}

/** Items that no other keyword has evaluated. Comes after all of them. */
export function unevaluatedItems(rule: Rule): Keyword {
  return onArray({
    explains: 'last',
    holds: (value, check, evaluated) =>
      value.every((item, index) => {
        if (evaluated?.items.has(index) === true) return true;
        if (!check.fits(rule, item)) return false;
        evaluated?.items.add(index);
        return true;
      }),
    explain: (value, explanation, evaluated) =>
      explanation.each(value.entries(), ([index, item]) =>
        evaluated?.items.has(index) === true ? [] : inside(index, item, rule, explanation),
      ),
  });
}

interface OnArray extends Pick<Keyword, 'explains'> {
  holds(value: readonly Json[], check: Checking, evaluated: Evaluated | null): boolean;
  explain(value: readonly Json[], explanation: Explaining, evaluated: Evaluated | null): readonly Violation[];
}

function onArray({ holds, explain, ...how }: OnArray): Keyword {
  return {
    ...how,
    holds: (value, check, evaluated) => !isJsonArray(value) || holds(value, check, evaluated),
    explain: (value, explanation, evaluated) => explain(value as readonly Json[], explanation, evaluated),
  };
}

function inside(index: number, item: Json, rule: Rule, explanation: Explaining): readonly Violation[] {
  // Most items fit: to explain one takes longer than to check it.
  return explanation.check.fits(rule, item) ? [] : under(index, explanation.violations(rule, item));
}

/** Positions of items that stand before as well: the first `most` of them. */
function repeated(items: readonly Json[], check: Checking, most: number): readonly number[] {
  const texts = new Set<string>();
  const positions: number[] = [];
  for (const [index, item] of items.entries()) {
    const text = jsonText(item);
    check.count(1 + (text.length >> 2));
    if (texts.has(text)) positions.push(index);
    if (positions.length >= most) break;
    texts.add(text);
  }
  return positions;
}
