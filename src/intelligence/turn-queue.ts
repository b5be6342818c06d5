import type { CompiledTurn } from './compile-turns.ts';

/** Turns that serve the same requests, in declared order: the queue, or one node's. Reused from trial to trial. */
export class TurnQueue {
  readonly turns: readonly CompiledTurn[];
  private position = 0;
  /** How often the turn at `position` has served in this trial. */
  occurrence = 0;
  /** The run of a trial that what was taken belongs to. */
  private run = 0;

  constructor(turns: readonly CompiledTurn[]) {
    this.turns = turns;
  }

  /** Starts over unless it has done so in this run: a queue that nobody asks costs a trial nothing. */
  startIn(run: number): void {
    if (this.run === run) return;
    this.run = run;
    this.position = 0;
    this.occurrence = 0;
  }

  /** The turn for the next request; undefined: all are used up. */
  current(): CompiledTurn | undefined {
    return this.turns[this.position];
  }

  /** Uses up the current turn, unless it repeats. */
  advance(turn: CompiledTurn): void {
    if (turn.repeat) {
      this.occurrence++;
      return;
    }
    this.position++;
  }
}
