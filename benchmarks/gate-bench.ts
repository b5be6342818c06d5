import type { Bench, Row } from './bench.ts';
import { naivePairs } from './engine-bench.ts';
import { firstOf, LINEAR20, planOf, programOf, ROUTE3 } from './subjects.ts';

/** What continuous integration looks at: a ratio far below what is reached, so that only gross regressions fail. */
export const gateBench: Bench = {
  name: 'gate',
  about: 'gross regressions: the engine against the naive interpreter, with much slack',
  async run() {
    const rows: Row[] = [];
    for (const definition of [ROUTE3, LINEAR20]) {
      const plan = firstOf(await planOf([definition]));
      const { ratio } = await naivePairs(plan, await programOf(plan), { pairs: 7, ms: 80 });
      rows.push({
        name: `${definition.name}: naive interpreter / engine`,
        value: ratio,
        unit: 'x',
        atLeast: 15,
      });
    }
    return rows;
  },
};
