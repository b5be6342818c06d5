import { parentPort, workerData } from 'node:worker_threads';
import { encodeTally } from '../src/pool/tally/tally-codec.ts';
import type { WorkflowPlan } from '../src/types/plan.ts';
import { programOf } from './subjects.ts';

// Half of the work split by hand: one message in, one message out, nothing in between but the program and the loop. The
// program is made for each run, as in the pool: V8 makes better code where there is only one in all the process's life.
const { plan } = workerData as { readonly plan: WorkflowPlan };
parentPort?.on('message', async ({ from, to }: { readonly from: number; readonly to: number }) => {
  const program = await programOf(plan);
  const tally = program.newTally();
  for (let trial = from; trial < to; trial += 4096) program.run(trial, Math.min(to, trial + 4096), tally);
  parentPort?.postMessage(encodeTally(tally));
});
parentPort?.postMessage('ready');
