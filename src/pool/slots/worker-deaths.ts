import type { Worker } from 'node:worker_threads';
import { OUT_OF_MEMORY } from './slot.ts';

interface Death {
  exitCode: number | null;
  uncaught: unknown;
}

/** One phrase, to be followed by what the worker was doing. */
export interface DeathPhrase {
  readonly cause: string;
  /** Its own code ended it, or its heap was full; null: anything else. */
  readonly how: 'exited' | 'full' | null;
}

/** Remembers how the workers of a pool ended, so that the trial one of them ran can be told why. */
export class WorkerDeaths {
  private readonly deaths = new Map<number, Death>();
  private lastDeath: Death | null = null;

  /** Why the last worker that died did so; null when none has. */
  last(): DeathPhrase | null {
    return this.lastDeath === null ? null : phraseOf(this.lastDeath, null);
  }

  /** `rejection`: what the pool knows. */
  describe(threadId: number | null, rejection: unknown): DeathPhrase {
    const death = threadId === null ? undefined : this.deaths.get(threadId);
    if (threadId !== null) this.deaths.delete(threadId);
    return phraseOf(death, rejection);
  }

  /** Attaches to a worker that has just been made. */
  watch(worker: Worker): void {
    const death: Death = { exitCode: null, uncaught: undefined };
    const { threadId } = worker;
    worker.once('error', (error) => {
      death.uncaught = error;
      this.lastDeath = death;
      this.deaths.set(threadId, death);
    });
    worker.once('exit', (code) => {
      death.exitCode = code;
      this.deaths.set(threadId, death);
    });
  }
}

function phraseOf(death: Death | undefined, rejection: unknown): DeathPhrase {
  if (death?.uncaught === undefined && death?.exitCode != null) {
    return { cause: `worker exited with code ${death.exitCode}`, how: 'exited' };
  }
  const error = death?.uncaught ?? rejection;
  if (codeOf(error) === 'ERR_WORKER_OUT_OF_MEMORY') return { cause: OUT_OF_MEMORY, how: 'full' };
  return { cause: errorPhrase(error), how: null };
}

function errorPhrase(error: unknown): string {
  if (!(error instanceof Error)) return 'worker died of an uncaught value that is not an error';
  return `worker died of an uncaught ${error.name} "${error.message.slice(0, 500)}"`;
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}
