import { Worker } from 'node:worker_threads';

/** Ends the process when a case does not end: code that never returns cannot be interrupted from its own thread. */
export interface Watchdog {
  begin(): void;
  end(): void;
  stop(): Promise<void>;
}

/** Far beyond what a case takes on the slowest machine: only a hang takes so long. */
const LONGEST_MS = 30_000;

const CODE = `
const { writeSync } = require('node:fs');
const { workerData: { cells, what, longestMs } } = require('node:worker_threads');
let seen = -1;
let since = Date.now();
setInterval(() => {
  const [begun, ended] = [Atomics.load(cells, 0), Atomics.load(cells, 1)];
  if (begun !== seen || begun === ended) [seen, since] = [begun, Date.now()];
  if (Date.now() - since < longestMs) return;
  writeSync(2, \`fuzz: case \${begun} of \${what} does not end\\n\`);
  process.kill(process.pid, 'SIGKILL');
}, 500);
`;

export function startWatchdog(what: string): Watchdog {
  const cells = new Int32Array(new SharedArrayBuffer(8));
  const worker = new Worker(CODE, { eval: true, workerData: { cells, what, longestMs: LONGEST_MS } });
  worker.unref();
  return {
    begin: () => void Atomics.add(cells, 0, 1),
    end: () => void Atomics.add(cells, 1, 1),
    stop: async () => void (await worker.terminate()),
  };
}
