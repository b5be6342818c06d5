import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseCsv } from '../../src/source/csv-table.ts';
import { aSource, brief, placed } from './parsed.ts';

function cellsOf(text: string): readonly (readonly string[])[] {
  const result = parseCsv(aSource(text, 'a.csv'));
  if (!result.ok) throw new Error(brief(result.issues).join('\n'));
  return result.lines.map((line) => line.map((cell) => cell.text));
}

function refused(text: string): readonly string[] {
  const result = parseCsv(aSource(text, 'a.csv'));
  if (result.ok) throw new Error('It parses.');
  return placed(result.issues);
}

test('cells read as they were written, whatever stands in them, and stand where their text is', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', '1', '.', ' ', ',', ';', '\t', '"', '\n', '\r', 'é', '😀') });
  const tables = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(tables, fc.constantFrom('\n', '\r\n', '\r'), (table, newline) => {
      const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
      // The head decides on the separator.
      const lines = [['a', 'b', 'c', 'd', 'e'], ...table];
      const text = lines.map((line) => line.map(quoted).join(',')).join(newline);
      const result = parseCsv(aSource(text, 'a.csv'));
      if (!result.ok) throw new Error(brief(result.issues).join('\n'));
      expect(result.lines.map((line) => line.map((one) => one.text))).toEqual(lines);
      expect(result.lines.map((line) => line.map((one) => text.slice(...one.range)))).toEqual(
        lines.map((line) => line.map(quoted)),
      );
    }),
  );
});

test('commas, semicolons and tabs separate; blanks around cells and empty lines do not count', () => {
  const table = [
    ['name', 'pass^1'],
    ['a, b', '0.50'],
    ['', '1'],
  ];
  expect(cellsOf('name , pass^1\n\n "a, b" ,0.50 \r\n,1\r\n')).toEqual(table);
  expect(cellsOf('name;pass^1\na, b;0.50\n;1')).toEqual(table);
  expect(cellsOf('name\tpass^1\na, b\t0.50\n\t1')).toEqual(table);
  expect(cellsOf('')).toEqual([]);
});

test('a quote that is not closed, and text behind one that is, are refused with their places', () => {
  expect(refused('a,b\n1,"2\n3')).toEqual(['csv_syntax 2:3']);
  expect(refused('a,b\n1,"2"3\n')).toEqual(['csv_syntax 2:6']);
});
