import fc from 'fast-check';
import { expect, it } from 'vitest';
import { RunPlaces, RunPlacesReader } from '../../src/importers/run-places.ts';

const piece = fc
  .record({ file: fc.nat(300), from: fc.nat(2 ** 40), length: fc.nat(2 ** 33) })
  .map(({ file, from, length }) => ({ file, from, to: from + length }));

it('gives the pieces of any run back, in whatever order runs are asked for', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(piece, { maxLength: 4 }), { minLength: 1, maxLength: 700 }),
      fc.array(fc.nat(), { maxLength: 30 }),
      (runs, asked) => {
        const places = new RunPlaces();
        for (const pieces of runs) places.add(pieces);
        const reader = new RunPlacesReader(places.encode());
        for (const at of asked) {
          const run = at % runs.length;
          expect(reader.piecesOf(run)).toEqual(runs[run]);
        }
        for (const [run, pieces] of runs.entries()) expect(reader.piecesOf(run)).toEqual(pieces);
      },
    ),
  );
});

it('appends the runs of another source, whose files come behind', () => {
  const runs = fc.array(fc.array(piece, { maxLength: 3 }), { maxLength: 300 });
  fc.assert(
    fc.property(runs, runs, fc.nat(200), (first, second, files) => {
      const [places, other] = [new RunPlaces(), new RunPlaces()];
      for (const pieces of first) places.add(pieces);
      for (const pieces of second) other.add(pieces);
      places.append(other, files);
      const moved = second.map((pieces) => pieces.map((one) => ({ ...one, file: one.file + files })));
      const reader = new RunPlacesReader(places.encode());
      expect(Array.from({ length: places.runs }, (_, run) => reader.piecesOf(run))).toEqual([...first, ...moved]);
      expect(places.pieceBytes).toBe([...first, ...second].flat().reduce((sum, { from, to }) => sum + to - from, 0));
    }),
    { numRuns: 40 },
  );
});
