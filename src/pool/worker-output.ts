import type { Worker } from 'node:worker_threads';

/**
 * Takes what code of the user prints in a worker away from the host's standard output, which belongs to the report,
 * and hands it to `onOutput`.
 */
export function redirectOutput(worker: Worker, onOutput: (text: string) => void): void {
  worker.stdout.unpipe();
  worker.stdout.setEncoding('utf8');
  worker.stdout.on('data', (text: string) => onOutput(text));
  worker.stdout.resume();
}
