import fc from 'fast-check';
import { expect, it } from 'vitest';
import { TracePlaces } from '../../../src/importers/spans/trace-places.ts';

it('places of any traces come back by trace, in order', () => {
  const record = fc.record({
    trace: fc.constantFrom('a', 'b', '__proto__', ''),
    length: fc.integer({ min: 1, max: 9 }),
  });
  fc.assert(
    fc.property(fc.array(record, { maxLength: 3000, size: 'max' }), (records) => {
      const places = new TracePlaces();
      const expected = new Map<string, object[]>();
      let from = 2 ** 33;
      for (const { trace, length } of records) {
        const piece = { file: length, from, to: from + length };
        from += length;
        places.add(trace, piece);
        expected.set(trace, [...(expected.get(trace) ?? []), piece]);
      }
      expect([...places.traces()].map(({ pieces }) => pieces)).toEqual([...expected.values()]);
    }),
    { numRuns: 30 },
  );
});

it('the root names the set of its trace, else whoever comes first', () => {
  const places = new TracePlaces();
  const piece = { file: 0, from: 0, to: 1 };
  for (const trace of ['a', 'b', 'c']) places.add(trace, piece);
  places.name('a', 'first', false);
  places.name('a', 'second', false);
  places.name('b', 'first', false);
  places.name('b', 'root', true);
  expect([...places.traces()].map(({ set }) => set)).toEqual(['first', 'root', null]);
});
