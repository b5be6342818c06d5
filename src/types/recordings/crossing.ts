/** Where a task stands in a crossed design. Tasks of one row are alike, and so are those of one column. */
export interface Crossing {
  readonly row: string;
  readonly column: string;
  /** What has a mean of its own, such as a suite; '': all tasks have one mean. */
  readonly stratum: string;
}
