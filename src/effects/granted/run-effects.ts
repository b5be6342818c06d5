import type { GrantedWorld } from '../../types/permissions.ts';
import { createGrantedEffects, type GrantedEffects } from './create-effects.ts';

export interface RunEffectsOptions {
  /** As in `GrantedEffectsOptions`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds for which an MCP server that nobody needs is kept for the next piece of the run; default 30,000. */
  readonly idleMs?: number;
}

/** A piece of work, as far as its effects are concerned. */
export interface EffectUse {
  readonly granted: GrantedWorld | null;
  /** The run whose pieces this worker does one after the other; null: the piece is the whole run. */
  readonly run: number | null;
  /** True: the run is stopped, so that no more of it comes. */
  isStopped(): boolean;
}

const IDLE_MS = 30_000;
const MOST_LOOKS_MS = 1000;

/**
 * The granted effects of a worker, pieces of work after each other: pieces of one run share them, so that its MCP servers go on
 * from piece to piece. They end before the worker turns to another run, when they are idle for too long, and on `close`.
 */
export class RunEffects {
  readonly #options: Required<RunEffectsOptions>;
  #held: { readonly run: number; readonly effects: GrantedEffects } | null = null;
  /** Looks for idle servers between two pieces. */
  #timer: NodeJS.Timeout | undefined;

  constructor({ env, idleMs = IDLE_MS }: RunEffectsOptions) {
    this.#options = { env, idleMs };
  }

  /** Does the work with the effects of its run; null: nothing is granted. One piece at a time. */
  async use<R>(
    { granted, run, isStopped }: EffectUse,
    work: (effects: GrantedEffects | null) => Promise<R>,
  ): Promise<R> {
    clearInterval(this.#timer);
    if (this.#held?.run !== run) await this.close();
    if (granted === null) return work(null);
    const { env, idleMs } = this.#options;
    const effects = this.#held?.effects ?? createGrantedEffects(granted, { env, idleMs: run === null ? 0 : idleMs });
    this.#held = run === null ? null : { run, effects };
    try {
      return await work(effects);
    } finally {
      if (run === null) await effects.close();
      else if (isStopped()) await this.close();
      else this.#endIdle();
    }
  }

  /** Leaves no handle, process or socket behind. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    const held = this.#held;
    this.#held = null;
    await held?.effects.close();
  }

  #endIdle(): void {
    const look = (): void => this.#held?.effects.endServers(() => false);
    look();
    this.#timer = setInterval(look, Math.min(MOST_LOOKS_MS, this.#options.idleMs)).unref();
  }
}
