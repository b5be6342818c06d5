import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DAY_PATTERN } from '../../src/scenario/origin-schema.ts';
import { isDay } from '../../src/text/moment.ts';

const twoDigits = (n: number): string => String(n).padStart(2, '0');

test('law: a file takes exactly the days that there are', () => {
  const pattern = new RegExp(DAY_PATTERN, 'u');
  const part = fc.integer({ min: 0, max: 35 });
  const year = fc.oneof(fc.integer({ min: 0, max: 9999 }), fc.constantFrom(1900, 2000, 2024, 2026, 2100, 2400));
  fc.assert(
    fc.property(year, part, part, (y, month, date) => {
      const text = `${String(y).padStart(4, '0')}-${twoDigits(month)}-${twoDigits(date)}`;
      expect([text, pattern.test(text)]).toEqual([text, isDay(text)]);
    }),
    {
      numRuns: 5000,
      examples: [
        [2026, 2, 29],
        [2024, 2, 29],
        [1900, 2, 29],
        [2000, 2, 29],
        [2026, 2, 31],
        [2026, 13, 1],
      ],
    },
  );
  for (const text of ['tomorrow', '2026-11-25T10:00', ' 2026-11-25', '']) expect(pattern.test(text)).toBe(false);
});
