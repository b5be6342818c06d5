/** What one evaluation found. */
export interface Evaluation {
  readonly wins: number;
  readonly losses: number;
  readonly ties: number;
  readonly errors: number;
  readonly firstShare: number | null;
  readonly consistency: number | null;
  readonly rate: number | null;
  readonly interval: readonly [number, number] | null;
}
