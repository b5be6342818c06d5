import { ProcessSlot } from './process-slot.ts';
import { HEAP_MB, type WorkerSource } from './slot.ts';
import { WorkerProcess } from './worker-process.ts';
import { processUrl } from './worker-url.ts';

export interface ProcessOptions {
  readonly workerUrl?: URL;
  readonly memoryMb?: number;
  readonly processMemoryMb?: number;
  readonly onOutput?: (text: string) => void;
}

/** What a process may use besides its heap: Node itself, buffers, memory of native code. */
const BESIDES_MB = 512;

/** Worker processes, each started when its slot first has work. */
export async function startProcesses(options: ProcessOptions): Promise<WorkerSource> {
  const { memoryMb: heapMb = HEAP_MB, onOutput = () => {} } = options;
  const url = options.workerUrl ?? (await processUrl());
  const processes = new Map<number, WorkerProcess>();
  return {
    isApart: true,
    open: (slot) =>
      new ProcessSlot({
        ...slot,
        url,
        heapMb,
        memoryMb: options.processMemoryMb ?? heapMb + BESIDES_MB,
        take() {
          const running = processes.get(slot.worker);
          if (running !== undefined && !running.isGone) return running;
          const fresh = new WorkerProcess({ url, heapMb, onOutput });
          processes.set(slot.worker, fresh);
          return fresh;
        },
      }),
    async endServers(needed) {
      await Promise.all([...processes.values()].map((worker) => worker.endServers(needed)));
    },
    async close() {
      for (const worker of processes.values()) worker.kill('closed');
      await Promise.all([...processes.values()].map(({ ended }) => ended));
    },
  };
}
