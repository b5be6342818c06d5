import { expect, it } from 'vitest';
import { indexTraces } from '../../../src/importers/spans/index-traces.ts';
import type { ImporterType } from '../../../src/plugin/importer-type.ts';
import { importAll, sourceOf } from '../import-all.ts';

const FORMAT: Pick<ImporterType, 'index' | 'read'> = {
  *index(source, index) {
    yield* indexTraces(source, index, {
      lists: [],
      contents: [['said']],
      keysOf: ({ trace, set = null, root = false }) => ({
        trace: String(trace),
        set: set === null ? null : String(set),
        isRoot: root === true,
      }),
    });
  },
  read: (pieces) => ({ task: Buffer.concat([...pieces]).toString(), scores: [] }),
};

it('the root names the set of its trace, else whoever comes first', () => {
  const lines = [
    { trace: 'a', set: 'first' },
    { trace: 'a', set: 'second' },
    { trace: 'b', set: 'first' },
    { trace: 'b', set: 'root', root: true },
    { trace: 'b', set: 'late' },
    { trace: 'c', said: { trace: 'd' } },
  ].map((one) => JSON.stringify(one));
  const importer = { kind: 'importer', type: 'toy', summary: '', detects: () => true, ...FORMAT } as const;
  const { sets } = importAll(importer, sourceOf({ f: lines.join('\n') }));
  expect(Object.fromEntries(Object.entries(sets).map(([set, runs]) => [set, runs.map(({ task }) => task)]))).toEqual({
    first: [`${lines[0]}${lines[1]}`],
    root: [`${lines[2]}${lines[3]}${lines[4]}`],
    '': [lines[5]],
  });
});
