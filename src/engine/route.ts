export interface Route {
  readonly edges: readonly GraphEdge[];
  /** The edge that is always followed; null when loop budgets or several candidates must be looked at. */
  readonly only: GraphEdge | null;
}

export interface GraphEdge {
  readonly index: number;
  readonly to: number;
  readonly when: string | null;
  /** −1: no loop edge. */
  readonly maxIterations: number;
}
