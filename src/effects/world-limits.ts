/** What one trial may put into its world. */
export interface WorldLimits {
  /** Bytes of one file. */
  readonly valueBytes: number;
  /** Bytes written in one trial, overwritten ones included. */
  readonly trialBytes: number;
  /** Files and folders made in one trial. */
  readonly entries: number;
}

export const DEFAULT_LIMITS: WorldLimits = { valueBytes: 1 << 20, trialBytes: 8 << 20, entries: 65_536 };

/** Linux's bounds, in bytes. */
export const PATH_BYTES = 4096;
export const NAME_BYTES = 255;
