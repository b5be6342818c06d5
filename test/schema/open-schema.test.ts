import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openSchema } from '../../src/schema/open-schema.ts';
import { fitsSchema } from '../../src/source/fits-schema.ts';
import baseline from '../../src/types/schemas/baseline.json' with { type: 'json' };
import { baselineText } from '../../src/baseline/baseline-text.ts';
import { aBaseline, aBaselineScenario } from '../baseline/a-baseline.ts';

const open = openSchema(baseline);

test('an open schema takes keys that it does not know at any depth, and nothing else more', () => {
  const written = JSON.parse(baselineText(aBaseline([aBaselineScenario()])));
  const [scenario] = written.scenarios;
  fc.assert(
    fc.property(fc.constantFrom('later', 'seeds', '__proto__'), fc.jsonValue(), (key, value) => {
      const more = Object.fromEntries([[key, value]]);
      const total = { ...scenario.total, ...more };
      const values = [
        { ...more, ...written },
        { ...written, scenarios: [{ ...scenario, total, ...more }] },
      ];
      expect(values.map((one) => [fitsSchema(baseline, one), fitsSchema(open, one)])).toEqual([
        [false, true],
        [false, true],
      ]);
      expect(fitsSchema(open, { ...written, scenarios: [{ ...scenario, ...more, trials: '8' }] })).toBe(false);
      expect(fitsSchema(open, { ...more, scenarios: [] })).toBe(false);
    }),
  );
});
