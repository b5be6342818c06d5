import type { GrantedWorld, KeptForRun } from '../../types/permissions.ts';
import { createGrantedEffects, type GrantedEffects, type GrantedEffectsOptions } from './create-effects.ts';

/** A piece of work, as far as its effects are concerned. */
export interface EffectUse {
  readonly granted: GrantedWorld | null;
  /** What outlives the piece for the next one of the same run; null: nothing, as the piece is the whole run. */
  readonly keptServers: KeptForRun | null;
  /** True: the run is stopped, so that no more of it comes. */
  isStopped(): boolean;
}

/**
 * The granted effects of a worker, pieces of work after each other: pieces of one run share them, so that MCP servers go on from
 * piece to piece as long as later ones need them. They end before the worker turns to another run, and on `close`.
 */
export class RunEffects {
  private readonly options: GrantedEffectsOptions;
  private held: { readonly run: number; readonly effects: GrantedEffects } | null = null;

  constructor(options: GrantedEffectsOptions) {
    this.options = options;
  }

  /** Does the work with the effects of its run; null: nothing is granted. One piece at a time. */
  async use<R>(
    { granted, keptServers, isStopped }: EffectUse,
    work: (effects: GrantedEffects | null) => Promise<R>,
  ): Promise<R> {
    if (this.held?.run !== keptServers?.run) await this.close();
    if (granted === null) return work(null);
    const effects = this.held?.effects ?? createGrantedEffects(granted, this.options);
    this.held = keptServers === null ? null : { run: keptServers.run, effects };
    try {
      return await work(effects);
    } finally {
      if (keptServers === null) await effects.close();
      else if (isStopped()) await this.close();
      else effects.endServers((identity) => keptServers.needed?.includes(identity) ?? true);
    }
  }

  /** Ends the MCP servers that are kept for the next piece, but for those needed. Called between two pieces. */
  async endServers(needed: readonly string[]): Promise<void> {
    if (needed.length === 0) await this.close();
    else this.held?.effects.endServers((identity) => needed.includes(identity));
  }

  /** Leaves no handle, process or socket behind. */
  async close(): Promise<void> {
    const { held } = this;
    this.held = null;
    await held?.effects.close();
  }
}
