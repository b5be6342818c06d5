/** The result of a run of blocks of one scenario: what travels from a worker, a shard or a queue. */
export interface Delta {
  /** Position of the scenario in the plan. */
  readonly scenario: number;
  readonly fromBlock: number;
  /** Exclusive. */
  readonly toBlock: number;
  /** An encoded tally. */
  readonly tally: Uint8Array;
}
