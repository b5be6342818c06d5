import type { Bench, Row } from './bench.ts';
import { alternate, timePerOperation } from './pairs.ts';
import { NODE_SUBJECTS } from './node-subjects.ts';
import { firstOf, LINEAR20, planOf, programOf } from './subjects.ts';

/**
 * Point 9. Both sides make an engine for the one trial and walk it in the asynchronous driver; one keeps a trace and
 * explains every check. Tables know no recorder at all: what is off there cannot cost anything.
 */
export const recorderBench: Bench = {
  name: 'recorder',
  about: 'one trial in the asynchronous driver with the recorder on, against off',
  async run({ quick }) {
    const loop = NODE_SUBJECTS.find(({ name }) => name.startsWith('loop'));
    if (loop === undefined) throw new Error('there is no loop among the subjects');
    const rows: Row[] = [];
    for (const definition of [LINEAR20, loop.scenario(0)]) {
      const program = await programOf(firstOf(await planOf([definition])));
      const ms = quick ? 60 : 250;
      const trials = 200;
      const { a, b, ratio } = await alternate(
        quick ? 3 : 9,
        () =>
          timePerOperation(trials, ms, async () => {
            const tally = program.newTally();
            for (let trial = 1; trial <= trials; trial++) {
              await program.runAsync(trial, trial + 1, tally, { concurrency: 1 });
            }
          }),
        () =>
          timePerOperation(trials, ms, async () => {
            for (let trial = 1; trial <= trials; trial++) await program.inspect(trial);
          }),
      );
      const name = definition === LINEAR20 ? 'linear20' : loop.name;
      rows.push(
        { name: `${name}: off, per trial`, value: a / 1000, unit: 'us' },
        { name: `${name}: on, per trial`, value: b / 1000, unit: 'us' },
        { name: `${name}: on / off`, value: ratio, unit: 'x', atMost: 3 },
      );
    }
    return rows;
  },
};
