import { expect, it } from 'vitest';
import { momentOf } from '../../../src/importers/spans/moment.ts';

it('moments are milliseconds, of UTC where no zone is named, from whatever unit counts them', () => {
  const noon = Date.UTC(2026, 2, 1, 12);
  const same = [
    '2026-03-01T12:00:00Z',
    '2026-03-01T12:00:00',
    '2026-03-01 12:00:00.000000',
    '2026-03-01T13:00:00+01:00',
    '2026-03-01T07:00:00.000-0500',
    noon / 1000,
    noon,
    noon * 1000,
    noon * 1e6,
    `${noon}000000`,
  ];
  expect(same.map(momentOf)).toEqual(same.map(() => noon));
  expect(momentOf('2026-03-01T12:00:00.250001Z')).toBeCloseTo(noon + 250.001, 3);
  expect(['soon', '', null, 0, -1, Number.NaN, '2026-13-01T00:00:00Z', {}].map(momentOf)).toEqual(Array(8).fill(null));
});
