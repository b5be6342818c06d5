import type { Worker } from 'node:worker_threads';

/**
 * Takes what code of the user prints in a worker away from the host's own streams, which belong to the report and to what
 * passk says, and hands it to `onOutput`.
 */
export function redirectOutput(worker: Worker, onOutput: (text: string) => void): void {
  for (const stream of [worker.stdout, worker.stderr]) {
    stream.unpipe();
    stream.setEncoding('utf8');
    stream.on('data', (text: string) => onOutput(text));
    stream.resume();
  }
}
