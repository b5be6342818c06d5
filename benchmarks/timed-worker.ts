import { BroadcastChannel } from 'node:worker_threads';
import type { PumpEnd, PumpTask } from '../src/pool/messages.ts';
import work from '../workers/trial-worker.ts';

const channel = new BroadcastChannel('passk-bench-pumps');
channel.unref();

/** The worker of the package, and when each of its pumps began and ended. */
export default async function timedWork(task: PumpTask): Promise<PumpEnd> {
  const from = performance.timeOrigin + performance.now();
  const end = await work(task);
  channel.postMessage({ from, to: performance.timeOrigin + performance.now() });
  return end;
}
