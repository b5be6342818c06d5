/** Where a task stands in a crossed design. Tasks of one row are alike, and so are those of one column. */
export interface Crossing {
  /** The first thing that the run is of, such as a task. */
  readonly row: string;
  /** The second thing that the run is of, such as an attack. */
  readonly column: string;
  /** What has a mean of its own, such as a suite; '': all tasks have one mean. */
  readonly stratum: string;
}
