import { expect, test } from 'vitest';
import { zeros } from '../../src/values/zeros.ts';

test('a row of zeros has its length and belongs to whoever asked for it', () => {
  for (const length of [0, 1, 17, 64, 65, 500]) {
    const row = zeros(length);
    expect(row).toEqual(Array.from({ length }, () => 0));
    row.fill(7);
    expect(zeros(length)).toEqual(Array.from({ length }, () => 0));
  }
});
