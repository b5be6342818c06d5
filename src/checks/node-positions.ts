/** Top-level nodes by position: views name nodes by position. */
export interface NodePositions {
  /** `UNKNOWN` for an id that no node has: equals no position that a view gives. */
  of(id: string): number;
  /** Null for a position that stands for no node. */
  idAt(position: number): string | null;
}

/** Below −1, which views use for "none". */
export const UNKNOWN = -2;

/** The positions of nodes given in order; of equal ids the last counts. */
export function nodePositions(ids: readonly string[]): NodePositions {
  const positions = new Map(ids.map((id, position) => [id, position]));
  return {
    of: (id) => positions.get(id) ?? UNKNOWN,
    idAt: (position) => ids[position] ?? null,
  };
}
