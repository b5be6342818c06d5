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
        const place = { group: length, from, to: from + length };
        from += length;
        const number = places.add(trace, place);
        expected.set(trace, [...(expected.get(trace) ?? []), place]);
        expect([...expected.keys()][number]).toBe(trace);
      }
      expect([...places.traces()]).toEqual([...expected.values()]);
    }),
    { numRuns: 30 },
  );
});

it('neighbours of a list that are of one trace are one place, up to a size', () => {
  const places = new TracePlaces(25);
  places.add('a', { group: 0, from: 0, to: 9 });
  places.add('a', { group: 0, from: 10, to: 19 });
  places.add('a', { group: 0, from: 20, to: 29 });
  places.add('b', { group: 0, from: 30, to: 39 });
  places.add('a', { group: 0, from: 40, to: 49 });
  places.add('a', { group: 1, from: 50, to: 59 });
  expect([...places.traces()]).toEqual([
    [
      { group: 0, from: 0, to: 19 },
      { group: 0, from: 20, to: 29 },
      { group: 0, from: 40, to: 49 },
      { group: 1, from: 50, to: 59 },
    ],
    [{ group: 0, from: 30, to: 39 }],
  ]);
});
