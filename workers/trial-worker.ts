import type { InspectTask } from '../src/pool/inspect-in-worker.ts';
import type { PumpEnd, PumpTask } from '../src/pool/messages.ts';
import { pump } from '../src/pool/pump.ts';
import { startClock } from '../src/pool/start-clock.ts';
import { buildProgram } from '../src/trial/build-program.ts';
import type { InspectedTrial } from '../src/trial/program.ts';

/** The entry of a worker thread: one call per piece of work. */
export default function work(task: PumpTask): Promise<PumpEnd> {
  return pump(task, (plan, services) => buildProgram(plan, { ...services, startClock }));
}

/** One trial with the recorder on. */
export async function inspect({ plan, plugins, trial }: InspectTask): Promise<InspectedTrial> {
  return (await buildProgram(plan, { plugins, callHost: null, startClock })).inspect(trial);
}
