import { MAX_SHOWN } from './tally/tally.ts';

/** The lowest failing trials of one program so far: the only ones that a report may show. */
export class LowestTrials {
  private readonly trials: number[] = [];

  /** False: others are lower. */
  add(trial: number): boolean {
    // A trial that is run again comes twice.
    if (this.trials.includes(trial)) return true;
    this.trials.push(trial);
    this.trials.sort((a, b) => a - b);
    if (this.trials.length > MAX_SHOWN && this.trials.pop() === trial) return false;
    return true;
  }
}
