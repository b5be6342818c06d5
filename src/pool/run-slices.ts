import type { TrialProgram } from '../trial/program.ts';
import type { Tally } from '../trial/tally/tally.ts';
import { monotonicMs } from './monotonic-ms.ts';

const FIRST_SLICE = 64;
const SHORT_MS = 3;
const LONG_MS = 12;

/**
 * Cuts trials of a pure program into slices of a few milliseconds, so that whoever runs them can publish where it
 * is, see an abort and let others run, while a fast program still gets whole blocks in one call.
 */
export class SliceRunner {
  /** How long the last slice took. */
  tookMs = 0;
  /** When it ended, by `monotonicMs`. */
  endedAt = 0;
  private size = FIRST_SLICE;

  /** True: `trials` run in one slice. */
  takesWhole(trials: number): boolean {
    return trials <= this.size;
  }

  /** Runs the next slice and returns the trial at which the one after it begins. */
  run(program: TrialProgram, from: number, to: number, tally: Tally): number {
    const sliceEnd = Math.min(to, from + this.size);
    const began = monotonicMs();
    const end = program.run(from, sliceEnd, tally);
    this.endedAt = monotonicMs();
    const took = this.endedAt - began;
    this.tookMs = took;
    if (took > LONG_MS) this.size = Math.max(1, this.size >>> 1);
    else if (took < SHORT_MS && end - from === this.size) this.size = Math.min(this.size * 4, 2 ** 20);
    return end;
  }
}
