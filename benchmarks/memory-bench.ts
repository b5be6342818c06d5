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
      few: runChild(folder, 'trials', String(few)).peakMiB,
      many: runChild(folder, 'trials', String(many)).peakMiB,
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
