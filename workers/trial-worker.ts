import { killLiving } from '../src/effects/granted/living-trees.ts';
import { RunEffects } from '../src/effects/granted/run-effects.ts';
import { isAborted } from '../src/pool/control.ts';
import { CodeOwner, listenToCode } from '../src/pool/worker/code-owner.ts';
import type { InspectTask, WorkerTaskEnd, WorkerTask } from '../src/pool/messages.ts';
import { runWorkerTask } from '../src/pool/worker/run-worker-task.ts';
import { type GenerateTask, runGenerator } from '../src/pool/generate/run-generator.ts';
import { startClock } from '../src/pool/start-clock.ts';
import type { Candidate } from '../src/generators/make-candidate.ts';
import { callTape } from '../src/trial/cassette/call-tape.ts';
import { buildProgram } from '../src/trial/build-program.ts';
import type { InspectedTrial, TrialProgram } from '../src/trial/program.ts';

const runEffects = new RunEffects({ env: process.env });

/** The entry of a worker thread: one call per piece of work. */
export default function work(task: WorkerTask): Promise<WorkerTaskEnd> {
  const { granted, keptServers, control } = task;
  const isStopped = (): boolean => isAborted(control);
  return runEffects.use({ granted, keptServers, isStopped }, async (effects) => {
    try {
      return await runWorkerTask(task, {
        compile: (plan, services) => buildProgram(plan, { ...services, startClock, effects }),
        endServers: (isNeeded) => effects?.endServers(isNeeded),
      });
    } finally {
      // A stopped run has no time to ask servers to end.
      if (isStopped()) killLiving();
    }
  });
}

/** Ends the MCP servers that pieces of a run have left for the next, but for those needed. */
export function endServers(needed: readonly string[]): Promise<void> {
  return runEffects.endServers(needed);
}

/** One trial with the recorder on. */
export function inspect({ plan, plugins, granted, trial, ...tapes }: InspectTask): Promise<InspectedTrial> {
  return runEffects.use({ granted, keptServers: null, isStopped: () => false }, async (effects) => {
    const program = await buildProgram(plan, {
      plugins,
      callHost: plan.cassette === undefined ? null : callTape(tapes),
      startClock,
      effects,
    });
    try {
      return plan.userCode ? await inspectOwned(program, trial) : await program.inspect(trial);
    } finally {
      await program.close();
    }
  });
}

/** One generated scenario. */
export function generate(task: GenerateTask): Promise<Candidate | null> {
  return runGenerator(task);
}

/** As in a run: an error that nobody catches breaks the trial. */
async function inspectOwned(program: TrialProgram, trial: number): Promise<InspectedTrial> {
  listenToCode(null);
  const owner = new CodeOwner({ clearsTimers: program.sync, isAlone: true });
  const uncaught = new Promise<null>((resolve) => {
    owner.onUncaught = () => resolve(null);
  });
  const inspected = await Promise.race([owner.run(() => program.inspect(trial)), uncaught]);
  const cause = await owner.end();
  if (inspected === null || cause !== null) throw new Error(cause ?? 'The trial did not end.');
  return inspected;
}
