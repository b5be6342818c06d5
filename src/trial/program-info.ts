/** Names behind the positions that tallies count by. */
export interface ProgramInfo {
  /** Top-level nodes in file order, then children's as `key#node`. */
  readonly nodes: readonly { readonly node: string; readonly type: string }[];
  readonly edges: readonly { readonly from: string; readonly to: string; readonly when: string | null }[];
  readonly checks: readonly string[];
  readonly turns: readonly { readonly turn: string; readonly variants: number }[];
  /** What is declared to go wrong around the subject, as `faultLabels`. */
  readonly faults: readonly string[];
  /** True: checks give rulings, which are counted too; absent: they only hold or do not. */
  readonly givesRulings?: true;
  /** True: trials are attempts at tasks; absent: each stands for itself. */
  readonly hasTasks?: true;
  /** Names of the sub-goals of sessions; absent: trials are none. */
  readonly goals?: readonly string[];
  /** Judges that are asked, with their models; absent: none is. */
  readonly judges?: readonly { readonly judge: string; readonly models: readonly string[] }[];
  /** True: a row of each trial is kept; absent: none is. */
  readonly hasRows?: true;
  /** True: so are the records of the lowest trial that passed and the lowest that failed; absent: they are not. */
  readonly hasFirstRecords?: true;
}
