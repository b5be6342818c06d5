import type { RealTime } from '../types/real-time.ts';
import { monotonicMs } from './monotonic-ms.ts';

/** What a timer of the platform can wait for; nothing here waits longer. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Real time since the call: what enters a trial whose answers take some. Pure programs never see it. */
export function startClock(): RealTime {
  const start = monotonicMs();
  return {
    elapsedUs: () => Math.round((monotonicMs() - start) * 1000),
    alarm: (us, ring) => {
      // Rounded up: an alarm that rings early finds that its time has not come.
      const timer = setTimeout(ring, Math.min(MAX_TIMER_MS, Math.max(0, Math.ceil(us / 1000))));
      return () => clearTimeout(timer);
    },
  };
}
