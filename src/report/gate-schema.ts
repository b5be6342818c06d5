import { GATE_OPERATORS } from '../types/gate.ts';
import type { JsonObject } from '../types/json.ts';
import { count, list, nullable, object, oneOf, strings, text } from './schema-parts.ts';

const verdict = oneOf('pass', 'fail', 'insufficient');
const number: JsonObject = { type: 'number' };

/** A gate as it was read. */
const gate = object({
  text: text('As written.'),
  metric: text('Without its number: pass^ for pass^8.'),
  k: nullable(count('The number of pass^k and pass@k.')),
  scope: object({ kind: oneOf('every', 'scenario', 'suite'), name: text('Of the scenario.') }, ['name']),
  side: object({ kind: oneOf('point', 'lower', 'upper'), level: number, about: oneOf('these', 'population') }, [
    'level',
    'about',
  ]),
  operator: oneOf(...GATE_OPERATORS),
  value: number,
});

/** What a gate expression said, as JSON Schema. */
export const gateExpression: JsonObject = object({
  gate,
  verdict,
  reason: text('One sentence over all results.'),
  results: list(
    object({
      scenario: nullable(text('null: the suite.')),
      verdict,
      value: nullable({ ...number, description: 'What was compared; null when it does not exist.' }),
      low: nullable({ ...number, description: 'Were trials without a result to fail; null: without limit.' }),
      high: nullable({ ...number, description: 'Were they to pass; null: without limit.' }),
      interval: nullable({
        ...list(nullable(number)),
        minItems: 2,
        maxItems: 2,
        description: 'Whose end is compared; an upper end of null is without limit. null: no interval is.',
      }),
      reason: text('The number and the bar.'),
    }),
    'In plan order.',
  ),
  tells: strings('What it can tell with the planned trials; [] where that does not follow from the pass rate.'),
});
