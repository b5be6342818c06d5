/** Positions of the top-level nodes by id: views name nodes by position. */
export class NodePositions {
  private readonly ids: readonly string[];
  private readonly positions: ReadonlyMap<string, number>;

  constructor(ids: readonly string[]) {
    this.ids = ids;
    this.positions = new Map(ids.map((id, position) => [id, position]));
  }

  /** `UNKNOWN` for an id that no node has: equals no position that a view gives. */
  of(id: string): number {
    return this.positions.get(id) ?? UNKNOWN;
  }

  /** Null for a position that stands for no node. */
  idAt(position: number): string | null {
    return this.ids[position] ?? null;
  }
}

/** Below −1, which views use for "none". */
export const UNKNOWN = -2;
