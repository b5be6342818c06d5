import process from 'node:process';
import { Worker } from 'node:worker_threads';

const LOOK_MS = 250;

/**
 * Ends this process when its parent is gone, also while code of the user keeps it busy: a thread looks. `entry` is the
 * module of the process; in that thread it must call `watchParent` and load nothing else.
 */
export function endWithParent(entry: string): void {
  new Worker(new URL(entry), { argv: process.argv.slice(2), execArgv: [] }).unref();
  process.on('disconnect', endAtOnce);
}

/** The thread's part. The first argument of the process is its parent's number. */
export function watchParent(): void {
  const parent = Number(process.argv[2]);
  setInterval(() => {
    if (process.ppid !== parent) endAtOnce();
  }, LOOK_MS);
}

/** Ends this process silently: no exit handler runs, and no late error is printed. */
export function endAtOnce(): void {
  process.kill(process.pid, 'SIGKILL');
}
