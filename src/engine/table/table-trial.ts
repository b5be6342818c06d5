import type { Json } from '../../types/json.ts';
import type { HttpResponse } from '../../types/trial.ts';
import { ASK, ASK_AGAIN, type Cell, type CellEnd } from './cells.ts';
import { type CellTable, KIND, SHIFT } from './cell-table.ts';
import type { ValueIds } from './value-ids.ts';

/** The trial that a table has just walked: what it can be asked, and how it is taken back. */
export class TableTrial {
  readonly table: CellTable;
  /** Tokens and billed calls of the model. */
  tokens = 0;
  llmCalls = 0;
  /** Follows of edges that loop budgets decided on, since the counts were last cleared. */
  readonly edges: Float64Array;
  protected readonly ids: ValueIds;
  /** Ids of kept outputs by node, then of what stands in reserved slots. */
  protected readonly slots: Int32Array;
  protected readonly takenEdges: number[] = [];
  /** Cells of the trial in order, the first `length` of them. */
  protected trail: Int32Array<ArrayBuffer>;
  protected length = 0;
  /** Cells of the trail at which the model was asked again: they stand before the one that ends their node's visit. */
  protected asks = 0;
  /** The cell it stands at. */
  protected cell = 0;
  private visited = new Int32Array(0);

  constructor(table: CellTable, ids: ValueIds, slots: Int32Array, edges: Float64Array) {
    this.table = table;
    this.ids = ids;
    this.slots = slots;
    this.edges = edges;
    this.trail = new Int32Array(table.visits.length * 2);
  }

  /** Takes the trial just walked back out of the counts. */
  undo(): void {
    const { visits } = this.table;
    for (let i = 0; i < this.length; i++) {
      const cell = this.trail[i] as number;
      visits[cell] = (visits[cell] as number) - 1;
    }
    for (const edge of this.takenEdges) this.edges[edge] = (this.edges[edge] as number) - 1;
    this.length = 0;
  }

  /** Marks the cells of the trial just walked as seen in a passing trial. */
  markPassed(): void {
    const { table, trail, length } = this;
    if (table.unmarked === 0) return;
    const { passed } = table;
    for (let i = 0; i < length; i++) {
      const cell = trail[i] as number;
      if (passed[cell] !== 0) continue;
      passed[cell] = 1;
      table.unmarked--;
    }
  }

  /** Cells of the trial just walked, in order, with their numbers. */
  eachCell(visit: (cell: Cell, number: number) => void): void {
    for (let i = 0; i < this.length; i++) {
      const cell = this.trail[i] as number;
      visit(this.table.cells[cell] as Cell, cell);
    }
  }

  /** The reply that was shaped last in the trial just walked; null: none was. */
  lastResponse(): HttpResponse | null {
    const { cells } = this.table;
    for (let i = this.length - 1; i >= 0; i--) {
      const { response } = cells[this.trail[i] as number] as Cell;
      if (response !== null) return response;
    }
    return null;
  }

  /** Visited nodes of the trial just walked, the first `steps` of them; made when asked for. */
  get path(): Int32Array {
    if (this.visited.length < this.length) this.visited = new Int32Array(this.trail.length);
    let steps = 0;
    this.eachCell(({ kind, node }) => {
      if (kind !== ASK) this.visited[steps++] = node;
    });
    return this.visited;
  }

  get steps(): number {
    return this.length - this.asks;
  }

  /** The cell that ended the trial just walked. */
  get last(): number {
    return this.cell;
  }

  get lastNode(): number {
    return this.table.nodes[this.cell] as number;
  }

  /** How many steps of the trial just walked, from the first on, are at these nodes. */
  commonSteps(expected: Int32Array): number {
    const { trail } = this;
    const { code, nodes } = this.table;
    const most = Math.min(this.steps, expected.length);
    const hasAsks = this.asks > 0;
    let step = 0;
    for (let i = 0; step < most; i++) {
      const cell = trail[i] as number;
      if (hasAsks && code[(cell << SHIFT) + KIND] === ASK_AGAIN) continue;
      if (nodes[cell] !== expected[step]) break;
      step++;
    }
    return step;
  }

  /** True when the trial just walked begins with steps at these nodes; `isExact`: and has no others. */
  begins(expected: Int32Array, isExact: boolean): boolean {
    const { trail, length, asks } = this;
    const { nodes } = this.table;
    const wanted = expected.length;
    if (isExact ? length - asks !== wanted : length - asks < wanted) return false;
    if (asks > 0) return this.commonSteps(expected) === wanted;
    // Paths that differ do so near their end, mostly.
    for (let i = wanted - 1; i >= 0; i--) if (nodes[trail[i] as number] !== expected[i]) return false;
    return true;
  }

  /** How the trial just walked ended. */
  end(): CellEnd {
    return (this.table.cells[this.cell] as Cell).end as CellEnd;
  }

  output(node: number): Json | undefined {
    return this.ids.valueOf(this.slots[node] as number);
  }

  /** Sets all counts to 0. */
  clear(): void {
    this.table.clear();
    this.edges.fill(0);
  }
}
