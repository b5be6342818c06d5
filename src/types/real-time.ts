/** Real time, for programs whose answers take some. Absent in pure programs. */
export interface RealTime {
  /** Microseconds since the trial began. */
  elapsedUs(): number;
  sleep(us: number): Promise<void>;
}
