import type { Json } from '../../types/json.ts';
import type { HttpResponse } from '../../types/trial.ts';
import { ASK, ASK_AGAIN, type Cell, type CellEnd } from './cells.ts';
import type { CellTable } from './cell-table.ts';
import { KIND, NODE, OUTPUT, PASSED, SHIFT, VISITS } from './cell-words.ts';
import type { ValueIds } from './value-ids.ts';

/** In place of a node that nobody will visit: the hot loop compares without a thought for signs. */
const NOBODY = 2 ** 30;

/** The trial that a table has just walked: what it can be asked, and how it is taken back. */
export class TableTrial {
  readonly table: CellTable;
  /** Tokens and billed calls of the model. */
  tokens = 0;
  llmCalls = 0;
  /** Follows of edges that loop budgets decided on, since the counts were last cleared. */
  readonly edges: Float64Array;
  protected readonly ids: ValueIds;
  protected readonly takenEdges: number[] = [];
  /** Cells of the trial in order, the first `length` of them. */
  protected trail: Int32Array<ArrayBuffer>;
  protected length = 0;
  /** Cells of the trail at which the model was asked again: they stand before the one that ends their node's visit. */
  protected asks = 0;
  /** The cell it stands at. */
  protected cell = 0;
  /** The nodes that somebody expects on the path, in order; as long as the trail, so that the hot loop can just look. */
  protected expected: Int32Array<ArrayBuffer>;
  /** How many cells of the trail are at the node that is expected in their place. */
  protected met = 0;
  private awaited: Int32Array = new Int32Array(0);
  /** Ids of outputs by node, then of what stands in reserved slots: as they were after the first `written` cells. */
  private readonly slots: Int32Array;
  protected written = 0;
  private readonly writtenNodes: number[] = [];
  private visited = new Int32Array(0);

  constructor(table: CellTable, ids: ValueIds, slots: Int32Array, edges: Float64Array) {
    this.table = table;
    this.ids = ids;
    this.slots = slots;
    this.edges = edges;
    this.trail = new Int32Array(table.tokens.length * 2);
    this.expected = new Int32Array(this.trail.length);
    this.expectPath(this.awaited);
  }

  /** Says what `begins` will be asked about; −1 is a node that does not exist. */
  expectPath(nodes: Int32Array): void {
    this.awaited = nodes;
    this.expected = Int32Array.from(this.trail, (_, step) => {
      const node = nodes[step] ?? -1;
      return node < 0 ? NOBODY : node;
    });
  }

  /** Makes room for more cells. */
  protected growTrail(): void {
    const grown = new Int32Array(this.trail.length * 2);
    grown.set(this.trail);
    this.trail = grown;
    this.expectPath(this.awaited);
  }

  /** Takes the trial just walked back out of the counts. */
  undo(): void {
    const { code } = this.table;
    for (let i = 0; i < this.length; i++) {
      const at = ((this.trail[i] as number) << SHIFT) + VISITS;
      code[at] = (code[at] as number) - 1;
    }
    for (const edge of this.takenEdges) this.edges[edge] = (this.edges[edge] as number) - 1;
    this.length = 0;
  }

  /** Marks the cells of the trial just walked as seen in a passing trial. */
  markPassed(): void {
    if (this.table.unmarked > 0) this.markCells();
  }

  private markCells(): void {
    const { table, trail, length } = this;
    const { code } = table;
    for (let i = 0; i < length; i++) {
      const at = ((trail[i] as number) << SHIFT) + PASSED;
      if (code[at] !== 0) continue;
      code[at] = 1;
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
    return this.table.code[(this.cell << SHIFT) + NODE] as number;
  }

  /** How many steps of the trial just walked, from the first on, are at these nodes. */
  commonSteps(expected: Int32Array): number {
    const { trail } = this;
    const { code } = this.table;
    const most = Math.min(this.steps, expected.length);
    let step = 0;
    for (let i = 0; step < most; i++) {
      const at = (trail[i] as number) << SHIFT;
      if (code[at + KIND] === ASK_AGAIN) continue;
      if (code[at + NODE] !== expected[step]) break;
      step++;
    }
    return step;
  }

  /** True when the trial just walked begins with steps at the expected nodes; `isExact`: and has no others. */
  begins(isExact: boolean): boolean {
    const wanted = this.awaited.length;
    const { steps } = this;
    if (isExact ? steps !== wanted : steps < wanted) return false;
    // Where the model was asked again, cells stand further back than the steps they are of.
    return this.asks === 0 ? this.met === wanted : this.commonSteps(this.awaited) === wanted;
  }

  /** How the trial just walked ended. */
  end(): CellEnd {
    return (this.table.cells[this.cell] as Cell).end as CellEnd;
  }

  output(node: number): Json | undefined {
    return this.ids.valueOf(this.slotAt(node));
  }

  /** The id of what stands in a slot. Outputs are written down only when somebody asks: mostly, cells know what follows. */
  protected slotAt(slot: number): number {
    if (this.written < this.length) this.writeOutputs();
    return this.slots[slot] as number;
  }

  private writeOutputs(): void {
    const { slots, trail, writtenNodes } = this;
    const { code } = this.table;
    for (; this.written < this.length; this.written++) {
      const at = (trail[this.written] as number) << SHIFT;
      const output = code[at + OUTPUT] as number;
      if (output === 0) continue;
      const node = code[at + NODE] as number;
      if (slots[node] === 0) writtenNodes.push(node);
      slots[node] = output;
    }
  }

  /** Puts slots back to how they are before a trial. */
  protected clearOutputs(): void {
    for (const node of this.writtenNodes) this.slots[node] = 0;
    this.writtenNodes.length = 0;
    this.written = 0;
  }

  /** Sets all counts to 0. */
  clear(): void {
    this.table.clear();
    this.edges.fill(0);
  }
}
