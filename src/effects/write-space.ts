import { visibleText } from '../text/visible-text.ts';
import type { WorldLimits } from './world-limits.ts';

/** What one trial may still write, to memory and disk together. */
export class WriteSpace {
  private readonly limits: WorldLimits;
  private readonly budgetBytes: number;
  private writtenBytes = 0;
  private trials = 0;

  /** `budgetBytes`: what a run may write by its `[budget]`; Infinity: no budget. */
  constructor(limits: WorldLimits, budgetBytes: number) {
    this.limits = limits;
    this.budgetBytes = budgetBytes;
  }

  reset(): void {
    this.writtenBytes = 0;
    this.trials++;
  }

  /** Names the trial that claims now. */
  get trial(): number {
    return this.trials;
  }

  /** Counts bytes that are about to be written, or says why they may not be; then nothing is counted. */
  claim(path: string, bytes: number): string | null {
    const error = this.refusal(path, bytes);
    if (error === null) this.writtenBytes += bytes;
    return error;
  }

  /** Gives back what `trial` claimed for a write that failed; too late once the next one has begun. */
  release(bytes: number, trial = this.trials): void {
    if (trial === this.trials) this.writtenBytes -= bytes;
  }

  private refusal(path: string, bytes: number): string | null {
    const { valueBytes, trialBytes } = this.limits;
    const total = this.writtenBytes + bytes;
    if (total > this.budgetBytes) {
      return `budget.fs_write exceeded: ${this.writtenBytes} bytes written, ${bytes} more would pass ${this.budgetBytes}`;
    }
    if (bytes > valueBytes)
      return `write ${visibleText(path)}: ${bytes} bytes exceed the limit of ${valueBytes} for one file`;
    if (total > trialBytes) {
      return `write ${visibleText(path)}: ${total} bytes exceed the limit of ${trialBytes} that one trial may write`;
    }
    return null;
  }
}
