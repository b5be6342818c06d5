import { expect, test } from 'vitest';
import { isDay, momentOf } from '../../src/text/moment.ts';

test('a day is one that there is', () => {
  expect(['2026-02-28', '2024-02-29', '2026-02-29', '2026-02-31', '2026-13-01', '2026-1-1'].filter(isDay)).toEqual([
    '2026-02-28',
    '2024-02-29',
  ]);
});

test('a moment is a day, or a time of a day that there is, with its zone', () => {
  const noon = Date.UTC(2026, 1, 28, 12);
  expect(['2026-02-28T12:00Z', '2026-02-28T13:00:00.000+01:00', '2026-02-28T11:00:00-0100'].map(momentOf)).toEqual([
    noon,
    noon,
    noon,
  ]);
  expect(momentOf('2026-02-28')).toBe(Date.UTC(2026, 1, 28));
  const none = ['2026-02-31', '2026-02-31T12:00Z', '2026-02-28T12:00', '2026-02-28 12:00Z', '2026-02-28T25:00Z', 'now'];
  expect(none.map(momentOf)).toEqual(none.map(() => null));
});
