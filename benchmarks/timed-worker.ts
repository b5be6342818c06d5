import { BroadcastChannel } from 'node:worker_threads';
import type { WorkerTaskEnd, WorkerTask } from '../src/pool/messages.ts';
import work from '../workers/trial-worker.ts';

const channel = new BroadcastChannel('passk-bench-tasks');
channel.unref();

/** The worker of the package, and when each of its tasks began and ended. */
export default async function timedWork(task: WorkerTask): Promise<WorkerTaskEnd> {
  const from = performance.timeOrigin + performance.now();
  const end = await work(task);
  channel.postMessage({ from, to: performance.timeOrigin + performance.now() });
  return end;
}
