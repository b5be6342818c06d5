import { Worker } from 'node:worker_threads';

/** Ends the process when a case does not end: code that never returns cannot be interrupted from its own thread. */
export interface Watchdog {
  begin(): void;
  end(): void;
  stop(): Promise<void>;
}

/** Of the processor's time, which a busy machine does not stretch: far beyond what a case takes, so only a hang has it. */
const LONGEST_CPU_MS = 30_000;
/** For a case that waits for what never comes. */
const LONGEST_MS = 10 * 60_000;

const CODE = `
const { writeSync } = require('node:fs');
const { workerData: { cells, what, longestMs, longestCpuMs } } = require('node:worker_threads');
const cpuMs = () => Object.values(process.cpuUsage()).reduce((sum, part) => sum + part, 0) / 1000;
let seen = -1;
let [since, cpuSince] = [Date.now(), cpuMs()];
setInterval(() => {
  const [begun, ended] = [Atomics.load(cells, 0), Atomics.load(cells, 1)];
  if (begun !== seen || begun === ended) [seen, since, cpuSince] = [begun, Date.now(), cpuMs()];
  if (Date.now() - since < longestMs && cpuMs() - cpuSince < longestCpuMs) return;
  writeSync(2, \`fuzz: case \${begun} of \${what} does not end\\n\`);
  process.kill(process.pid, 'SIGKILL');
}, 500);
`;

export function startWatchdog(what: string): Watchdog {
  const cells = new Int32Array(new SharedArrayBuffer(8));
  const worker = new Worker(CODE, {
    eval: true,
    workerData: { cells, what, longestMs: LONGEST_MS, longestCpuMs: LONGEST_CPU_MS },
  });
  worker.unref();
  return {
    begin: () => void Atomics.add(cells, 0, 1),
    end: () => void Atomics.add(cells, 1, 1),
    stop: async () => void (await worker.terminate()),
  };
}
