import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LineCutter } from '../../../src/effects/granted/line-cutter.ts';

test('lines are the same however their bytes arrive, the last one included', () => {
  const text = fc
    .array(fc.constantFrom('a', 'ü', '€', '\n', '\r\n', ' '), { maxLength: 40 })
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, fc.array(fc.nat(120), { maxLength: 5 }), (whole, cuts) => {
      const bytes = Buffer.from(whole);
      const lines: string[] = [];
      const cutter = new LineCutter((line) => lines.push(line));
      const places = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)), bytes.length].sort((a, b) => a - b);
      for (const [index, from] of places.entries()) cutter.add(bytes.subarray(from, places[index + 1] ?? from));
      cutter.end();
      const wanted = whole.split(/\r?\n/);
      if (wanted.at(-1) === '') wanted.pop();
      expect(lines).toEqual(wanted);
    }),
  );
});

test('a line without an end comes in pieces', () => {
  const lines: string[] = [];
  const cutter = new LineCutter((line) => lines.push(line));
  for (let count = 0; count < 300; count++) cutter.add(Buffer.alloc(1024, 'x'));
  cutter.end();
  expect(lines.length).toBeGreaterThan(3);
  expect(lines.join('')).toBe('x'.repeat(300 * 1024));
});
