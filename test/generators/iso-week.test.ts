import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readIsoWeek, seedOfWeek, weeksIn } from '../../src/generators/iso-week.ts';

test('years have 53 weeks where ISO 8601 gives them so many', () => {
  // Source: the 71 long years of each 400, https://en.wikipedia.org/wiki/ISO_week_date, those of 1992 to 2048.
  const long = [1992, 1998, 2004, 2009, 2015, 2020, 2026, 2032, 2037, 2043, 2048];
  const years = Array.from({ length: 57 }, (_, n) => 1992 + n);
  expect(years.filter((year) => weeksIn(year) === 53)).toEqual(long);
  const cycle = Array.from({ length: 400 }, (_, n) => 2000 + n);
  expect(cycle.filter((year) => weeksIn(year) === 53)).toHaveLength(71);
});

test('the last week of a year is the one in which its last Thursday is', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9999 }), (year) => {
      // 28 December is always in the last week; the week of a day is that of its Thursday.
      const day = new Date(0);
      day.setUTCFullYear(year, 11, 28);
      day.setUTCDate(day.getUTCDate() + 4 - (day.getUTCDay() || 7));
      const start = new Date(0);
      start.setUTCFullYear(year, 0, 1);
      const week = Math.ceil((1 + (day.getTime() - start.getTime()) / 86_400_000) / 7);
      expect(weeksIn(year)).toBe(week);
    }),
  );
});

test('what is no week is told with what is', () => {
  expect(readIsoWeek('2026-W48')).toEqual({ year: 2026, week: 48 });
  expect(readIsoWeek('2026-W53')).toEqual({ year: 2026, week: 53 });
  expect(readIsoWeek('2026-W54')).toEqual({ problem: '2026 has the weeks 01 to 53' });
  expect(readIsoWeek('2025-W53')).toEqual({ problem: '2025 has the weeks 01 to 52' });
  expect(readIsoWeek('2026-W00')).toEqual({ problem: '2026 has the weeks 01 to 53' });
  expect(readIsoWeek('0000-W01')).toEqual({ problem: 'years begin with 0001' });
  for (const text of ['2026W48', '2026-48', '2026-W8', '26-W08', '2026-W48 ', '']) {
    expect(readIsoWeek(text)).toEqual({ problem: `${JSON.stringify(text)} is no week such as "2026-W48"` });
  }
});

test('a week, a family and its parameters have a seed of their own, the same everywhere', () => {
  expect(seedOfWeek({ year: 2026, week: 48 }, 'repair_shop', '{}')).toBe(LOCKED);
  const seeds = new Set(
    [1, 2, 3].flatMap((week) =>
      ['a', 'b'].flatMap((family) =>
        ['{}', '{"n":1}'].map((params) => seedOfWeek({ year: 2026, week }, family, params)),
      ),
    ),
  );
  expect(seeds.size).toBe(12);
});

const LOCKED = 2646212287;
