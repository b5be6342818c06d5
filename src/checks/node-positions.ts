import { type Lookup, positions as positionsOf } from '../values/lookup.ts';

/** Top-level nodes by position: views name nodes by position. */
export interface NodePositions {
  /** In order. */
  readonly ids: readonly string[];
  /** `UNKNOWN` for an id that no node has: equals no position that a view gives. */
  of(id: string): number;
  /** Null for a position that stands for no node. */
  idAt(position: number): string | null;
}

/** Below −1, which views use for "none". */
export const UNKNOWN = -2;

/** The positions of nodes given in order. */
export function nodePositions(ids: readonly string[]): NodePositions {
  return new Positions(ids);
}

/** Many scenarios name no node in what they expect: positions are looked up when one is. */
class Positions implements NodePositions {
  readonly ids: readonly string[];
  private positions: Lookup<string, number> | null = null;

  constructor(ids: readonly string[]) {
    this.ids = ids;
  }

  of(id: string): number {
    this.positions ??= positionsOf(this.ids);
    return this.positions.get(id) ?? UNKNOWN;
  }

  idAt(position: number): string | null {
    return this.ids[position] ?? null;
  }
}
