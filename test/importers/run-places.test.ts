import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type RunPlace, RunPlaces, RunPlacesReader } from '../../src/importers/run-places.ts';
import { TRIAL_OUTCOMES } from '../../src/values/passk-attributes.ts';

const piece = fc
  .record({ file: fc.nat(300), from: fc.nat(2 ** 40), length: fc.nat(2 ** 33) })
  .map(({ file, from, length }) => ({ file, from, to: from + length }));

const counted = fc.option(fc.record({ outcome: fc.constantFrom(...TRIAL_OUTCOMES), position: fc.nat(2 ** 30) }));
const place: fc.Arbitrary<RunPlace> = fc.record({ pieces: fc.array(piece, { maxLength: 4 }), counted });

it('gives the place of any run back, in whatever order runs are asked for', () => {
  fc.assert(
    fc.property(
      fc.array(place, { minLength: 1, maxLength: 700 }),
      fc.array(fc.nat(), { maxLength: 30 }),
      (runs, asked) => {
        const places = new RunPlaces();
        for (const one of runs) places.addPlace(one);
        const reader = new RunPlacesReader(places.encode());
        for (const at of asked) {
          const run = at % runs.length;
          expect(reader.at(run)).toEqual(runs[run]);
        }
        for (const [run, one] of runs.entries()) expect(reader.at(run)).toEqual(one);
      },
    ),
  );
});

it('appends the runs of another source, whose files come behind', () => {
  const runs = fc.array(place, { maxLength: 300 });
  fc.assert(
    fc.property(runs, runs, fc.nat(200), (first, second, files) => {
      const [places, other] = [new RunPlaces(), new RunPlaces()];
      for (const one of first) places.addPlace(one);
      for (const one of second) other.addPlace(one);
      places.append(other, files);
      const moved = second.map((one) => ({
        ...one,
        pieces: one.pieces.map((each) => ({ ...each, file: each.file + files })),
      }));
      const reader = new RunPlacesReader(places.encode());
      expect(Array.from({ length: places.runs }, (_, run) => reader.at(run))).toEqual([...first, ...moved]);
      expect(places.pieceBytes).toBe(
        [...first, ...second].flatMap(({ pieces }) => pieces).reduce((sum, { from, to }) => sum + to - from, 0),
      );
    }),
    { numRuns: 40 },
  );
});
