import type { CompiledTurn } from './compile-turns.ts';

/** Stands between a model's turns and its sampler. */
export interface Chooser {
  /** A trial begins. */
  begin(): void;
  /** The variant of a turn with several; `sampler` says what is drawn. */
  choose(turn: CompiledTurn, occurrence: number, sampler: Draws): number;
}

/** What a sampler draws in the trial that is being run. */
export interface Draws {
  drawn(turn: CompiledTurn, occurrence: number): number;
}

/** A choice that was made in a trial. */
export interface Pick {
  readonly turn: CompiledTurn;
  readonly occurrence: number;
  readonly variant: number;
}

/** Leaves choices to the sampler and keeps those of the trial. */
export class PickLog implements Chooser {
  readonly picks: Pick[] = [];

  begin(): void {
    this.picks.length = 0;
  }

  choose(turn: CompiledTurn, occurrence: number, sampler: Draws): number {
    const variant = sampler.drawn(turn, occurrence);
    this.picks.push({ turn, occurrence, variant });
    return variant;
  }
}
