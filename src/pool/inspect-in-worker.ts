import { brokenRecord } from '../trial/record/record-trial.ts';
import type { InspectedTrial } from '../trial/program.ts';
import { TRACE_VERSION } from '../types/trace.ts';
import { longestMs } from './worker/in-flight.ts';
import type { Isolation } from '../types/isolation.ts';
import type { InspectTask } from './messages.ts';
import { silenceLimit } from './silence-limit.ts';
import { HEAP_MB } from './slots/slot.ts';
import { workerFlags } from './slots/worker-flags.ts';
import { redirectOutput } from './slots/worker-output.ts';
import { WorkerProcess } from './slots/worker-process.ts';
import { processUrl, workerUrl } from './slots/worker-url.ts';

export interface InspectOptions {
  readonly isolation: Isolation;
  /** Gets what code of the user prints. */
  readonly onOutput: (text: string) => void;
}

/** Runs one trial with the recorder on, in a worker of its own: code of the user that dies or hangs breaks this trial only. */
export function inspectInWorker(
  task: InspectTask,
  { isolation, onOutput }: InspectOptions,
  timeoutMs = longestInspection(task),
): Promise<InspectedTrial> {
  return isolation === 'process' ? inProcess(task, timeoutMs, onOutput) : inThread(task, timeoutMs, onOutput);
}

async function inProcess(
  task: InspectTask,
  timeoutMs: number,
  onOutput: (text: string) => void,
): Promise<InspectedTrial> {
  const worker = new WorkerProcess({ url: await processUrl(), heapMb: HEAP_MB, onOutput });
  const timer = setTimeout(() => worker.kill(`no answer within ${timeoutMs} ms`), timeoutMs);
  try {
    const inspected = new Promise<InspectedTrial>((resolve) => {
      worker.onFrame = (frame) => {
        if (frame.kind === 'inspected') resolve(frame.trial);
      };
    });
    worker.send({ kind: 'inspect', task });
    return await Promise.race([inspected, worker.ended.then(({ cause }) => brokenTrial(task, cause))]);
  } finally {
    clearTimeout(timer);
    worker.kill('closed');
    await worker.ended;
  }
}

async function inThread(
  task: InspectTask,
  timeoutMs: number,
  onOutput: (text: string) => void,
): Promise<InspectedTrial> {
  const { Piscina } = await import('piscina');
  const pool = new Piscina<InspectTask, InspectedTrial>({
    filename: (await workerUrl()).href,
    minThreads: 1,
    maxThreads: 1,
    atomics: 'disabled',
    execArgv: workerFlags(process.execArgv),
  });
  pool.on('error', () => {});
  for (const thread of pool.threads) redirectOutput(thread, onOutput);
  try {
    return await pool.run(task, { name: 'inspect', signal: AbortSignal.timeout(timeoutMs) });
  } catch (error) {
    return brokenTrial(task, causeOf(error, timeoutMs));
  } finally {
    await pool.destroy();
  }
}

// As in a run: where answers take real time, the scenario's own limit ends the trial first.
function longestInspection({ plan }: InspectTask): number {
  return plan.traits.sync ? silenceLimit(plan) : silenceLimit(plan) + longestMs(plan);
}

function causeOf(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return String(error);
  return error.name === 'AbortError' ? `no answer within ${timeoutMs} ms` : error.message;
}

function brokenTrial({ plan, trial }: InspectTask, cause: string): InspectedTrial {
  return {
    result: { trial, verdict: 'broken', outcome: null, findings: [], brokenBy: cause },
    trace: { version: TRACE_VERSION, scenario: plan.scenario.name, trial, events: [] },
    record: brokenRecord(trial, cause),
  };
}
