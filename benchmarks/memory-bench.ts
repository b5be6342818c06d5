import type { Bench } from './bench.ts';
import { runChild } from './child-process.ts';
import { median } from './pairs.ts';

/** Point 3: peak memory does not grow with trials. */
export const memoryBench: Bench = {
  name: 'memory',
  about: 'peak resident memory of a whole process with two workers',
  async run({ quick, folder }) {
    const rounds = quick ? 1 : 3;
    const [few, many] = quick ? [1e6, 1e7] : [1e6, 1e8];
    const peaks = Array.from({ length: rounds }, () => ({
      few: peakWithWorkers(folder, few),
      many: peakWithWorkers(folder, many),
    }));
    return [
      { name: '10^6 trials', value: median(peaks.map((peak) => peak.few)), unit: 'MiB' },
      { name: `10^${Math.log10(many)} trials`, value: median(peaks.map((peak) => peak.many)), unit: 'MiB' },
      {
        name: `10^${Math.log10(many)} / 10^6 trials`,
        value: median(peaks.map((peak) => peak.many / peak.few)),
        unit: 'x',
        atMost: 1.05,
      },
    ];
  },
};

/** A short run that is quick enough starts no workers, whose memory is what two runs have in common. */
const ATTEMPTS = 5;

function peakWithWorkers(folder: string, trials: number): number {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const { peakMiB, usedWorkers } = runChild(folder, 'trials', String(trials));
    if (usedWorkers) return peakMiB;
  }
  throw new Error(`${trials} trials did without workers ${ATTEMPTS} times`);
}
