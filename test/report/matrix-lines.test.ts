import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { matrixLines } from '../../src/report/sections/matrix-lines.ts';
import type { Mark, Matrix } from '../../src/report/sections/section.ts';
import { textStyle } from '../../src/report/text/text-style.ts';
import { displayWidth } from '../../src/text/display-width.ts';

const GOOD: Mark = { sign: '✓', word: 'pass', name: 'passed', role: 'good' };
const BAD: Mark = { sign: '✗', word: 'FAIL', name: 'failed', role: 'bad' };

/** Every seventh cell fails. */
function aMatrix(rows: readonly string[], columns: readonly string[]): Matrix {
  const side = (name: string) => ({ name, remark: '', facts: [] });
  return {
    type: 'matrix',
    corner: 'model',
    joint: 'in',
    rows: rows.map(side),
    columns: columns.map(side),
    cells: Array.from({ length: rows.length * columns.length }, (_, at) => {
      const mark = at % 7 === 3 ? BAD : GOOD;
      return { mark, text: mark.word, share: '', spoken: mark.name, facts: () => [] };
    }),
    marks: [GOOD, BAD],
    legend: '',
  };
}

function style(columns: number) {
  return textStyle({ columns, color: false, unicode: true, verbose: false, quiet: false, timing: true });
}

const named = (count: number, name: string): readonly string[] =>
  Array.from({ length: count }, (_, at) => `${name} ${at + 1}`);

describe('a matrix in 80 columns', () => {
  test('has numbers over its signs where names do not fit', () => {
    expect(matrixLines(aMatrix(named(2, 'vendor/model'), named(12, 'a test')), style(80)).slice(0, 3)).toEqual([
      '                  1  2  3  4  5  6  7  8  9  10 11 12',
      '  vendor/model 1  ✓  ✓  ✓  ✗  ✓  ✓  ✓  ✓  ✓  ✓  ✗  ✓',
      '  vendor/model 2  ✓  ✓  ✓  ✓  ✓  ✗  ✓  ✓  ✓  ✓  ✓  ✓',
    ]);
  });

  test('has upright numbers over signs side by side where there are many', () => {
    const lines = matrixLines(aMatrix(named(40, 'vendor/model'), named(30, 'test')), style(80));
    expect([...lines.slice(0, 4), '…', lines[41], lines.at(-1)].join('\n')).toMatchInlineSnapshot(`
      "                             1 11111 11112 22222 22223
                         12345 67890 12345 67890 12345 67890
        vendor/model 1   ✓✓✓✗✓ ✓✓✓✓✓ ✗✓✓✓✓ ✓✓✗✓✓ ✓✓✓✓✗ ✓✓✓✓✓
        vendor/model 2   ✓✗✓✓✓ ✓✓✓✗✓ ✓✓✓✓✓ ✗✓✓✓✓ ✓✓✗✓✓ ✓✓✓✓✗
      …
        vendor/model 40  ✓✓✗✓✓ ✓✓✓✓✗ ✓✓✓✓✓ ✓✗✓✓✓ ✓✓✓✗✓ ✓✓✓✓✓
        ✓ passed, ✗ failed"
    `);
  });

  test('shows every cell of more than a few rows, and lists few ones where that is shorter', () => {
    const isList = (rows: number): boolean =>
      matrixLines(aMatrix(named(rows, 'm'), named(40, 'a test with a long name')), style(80))[0]?.includes('✗') ===
      true;
    expect([1, 2, 3, 4, 5].map(isList)).toEqual([true, true, true, false, false]);
  });

  test('is a list of rows where not even these fit, with names as long as the line', () => {
    const name = `vendor/${'long-'.repeat(9)}name`;
    const lines = matrixLines(aMatrix([`${name}-1`, `${name}-2`], named(70, 'test')), style(80));
    expect(lines.join('\n')).toMatchInlineSnapshot(`
      "  ✗ vendor/long-long-long-long-long-long-long-long-long-name-1
            10 failed: test 4, test 11, test 18, test 25, test 32, test 39 and 4 more
            · 60 passed
        ✗ vendor/long-long-long-long-long-long-long-long-long-name-2
            10 failed: test 4, test 11, test 18, test 25, test 32, test 39 and 4 more
            · 60 passed"
    `);
  });

  test('fits any width, whatever its size', () => {
    const counts = [fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 130 })] as const;
    fc.assert(
      fc.property(
        ...counts,
        fc.integer({ min: 40, max: 120 }),
        fc.string({ maxLength: 50 }),
        (rows, columns, width, name) => {
          for (const line of matrixLines(aMatrix(named(rows, `m${name}`), named(columns, 'test')), style(width)))
            expect(displayWidth(line)).toBeLessThanOrEqual(width);
        },
      ),
    );
  });
});
