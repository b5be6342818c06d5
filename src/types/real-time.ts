/** Real time, for programs whose answers take some. Absent in pure programs. */
export interface RealTime {
  /** Microseconds since the trial began. */
  elapsedUs(): number;
  /** Calls `ring` once after so many microseconds, unless the returned function was called before. */
  alarm(us: number, ring: () => void): () => void;
}
