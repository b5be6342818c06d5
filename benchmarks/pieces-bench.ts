import { draw, STREAM } from '../src/random/draw.ts';
import { xoshiro128 } from '../src/random/xoshiro128.ts';
import { passHatK } from '../src/stats/pass-hat-k.ts';
import { wilsonInterval } from '../src/stats/wilson.ts';
import type { Bench, Row } from './bench.ts';
import { timePerOperation } from './pairs.ts';
import { firstOf, planOf, programOf, ROUTE3 } from './subjects.ts';

const TIMES = 100_000;

/** Single functions of the hot and the folding path. */
export const piecesBench: Bench = {
  name: 'pieces',
  about: 'single functions: draws, tallies, statistics',
  async run({ quick }) {
    const ms = quick ? 40 : 200;
    const plan = firstOf(await planOf([ROUTE3]));
    const program = await programOf(plan);
    const tally = program.newTally();
    program.run(0, 8192, tally);
    const into = program.newTally();
    const random = xoshiro128(1);
    const each = async (name: string, work: (at: number) => number): Promise<Row> => {
      const value = await timePerOperation(TIMES, ms, () => {
        let sum = 0;
        for (let at = 0; at < TIMES; at++) sum += work(at);
        return sum;
      });
      return { name, value, unit: 'ns' };
    };
    return [
      await each('addressed draw', (at) => draw(plan.words, at, STREAM.turn, 77)),
      await each('xoshiro128** next', () => random.next()),
      await each('tally merge', () => {
        into.merge(tally);
        return into.passed;
      }),
      await each('pass^8 of 10^6 trials', (at) => passHatK(1_000_000, 900_000 + (at & 7), 8) ?? 0),
      await each('Wilson interval', (at) => wilsonInterval(1_000_000, 900_000 + (at & 7))?.[0] ?? 0),
    ];
  },
};
