/**
 * A node type whose work is done by a function of the host process. This part is plain data and crosses threads;
 * the function stays behind on the host and is called by name.
 */
export interface LiveNode {
  readonly type: string;
  readonly summary: string;
  /** Keys of the node's TOML table that hold context paths, in the order the function gets their values. */
  readonly reads: readonly string[];
  /** Branch labels it can give; [] for none. */
  readonly labels: readonly string[];
}
