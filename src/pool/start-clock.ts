import { setTimeout as sleep } from 'node:timers/promises';
import type { RealTime } from '../types/real-time.ts';

/** Real time since the call: what enters a trial whose answers take some. Pure programs never see it. */
export function startClock(): RealTime {
  const start = performance.now();
  return {
    elapsedUs: () => Math.round((performance.now() - start) * 1000),
    sleep: async (us) => {
      await sleep(us / 1000);
    },
  };
}
