import { createGrantedEffects, type GrantedEffects } from '../src/effects/granted/create-effects.ts';
import type { InspectTask } from '../src/pool/inspect-in-worker.ts';
import type { PumpEnd, PumpTask } from '../src/pool/messages.ts';
import { pump } from '../src/pool/pump.ts';
import { startClock } from '../src/pool/start-clock.ts';
import { callTape } from '../src/trial/cassette/call-tape.ts';
import { buildProgram } from '../src/trial/build-program.ts';
import type { InspectedTrial } from '../src/trial/program.ts';
import type { GrantedWorld } from '../src/types/permissions.ts';

/** The entry of a worker thread: one call per piece of work. */
export default function work(task: PumpTask): Promise<PumpEnd> {
  return withEffects(task.granted, (effects) =>
    pump(task, (plan, services) => buildProgram(plan, { ...services, startClock, effects })),
  );
}

/** One trial with the recorder on. */
export function inspect({ plan, plugins, granted, trial, tape }: InspectTask): Promise<InspectedTrial> {
  return withEffects(granted, async (effects) => {
    const program = await buildProgram(plan, {
      plugins,
      callHost: plan.cassette === undefined ? null : callTape(tape),
      startClock,
      effects,
    });
    try {
      return await program.inspect(trial);
    } finally {
      await program.close();
    }
  });
}

async function withEffects<R>(
  granted: GrantedWorld | null,
  use: (effects: GrantedEffects | null) => Promise<R>,
): Promise<R> {
  const effects = granted === null ? null : createGrantedEffects(granted, { env: process.env });
  try {
    return await use(effects);
  } finally {
    await effects?.close();
  }
}
