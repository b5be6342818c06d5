import { type Graph, type GraphNode, MISSING_SLOT, PAYLOAD_SLOT, TRIGGER_SLOT } from '../graph.ts';
import { roomFor } from './value-ids.ts';

/** Nodes that read this many values, or more, are not told apart by tables. */
const MANY = 3;

/** First cells of every node by what stands in the slots it reads: one table per node, or one entry when it reads none. */
export class InputTable {
  /** How many slots each node reads, at most `MANY`. */
  readonly wants: Int32Array;
  readonly first: Int32Array;
  readonly second: Int32Array;
  /** By the id in the first slot, for nodes that read at most one. */
  readonly byRoot: Int32Array<ArrayBuffer>[];
  private readonly byPair: Map<number, number>[];
  private readonly nodes: readonly GraphNode[];

  constructor({ nodes }: Graph) {
    this.nodes = nodes;
    this.wants = Int32Array.from(nodes, ({ reads }) => Math.min(reads.length, MANY));
    this.first = Int32Array.from(nodes, ({ reads }) => this.slotOf(reads[0]?.slot ?? MISSING_SLOT));
    this.second = Int32Array.from(nodes, ({ reads }) => this.slotOf(reads[1]?.slot ?? MISSING_SLOT));
    this.byRoot = nodes.map(() => new Int32Array(4));
    this.byPair = nodes.map(() => new Map());
  }

  /** Where a slot stands: nodes first, then trigger, payload, and nothing. */
  slotOf(slot: number): number {
    if (slot >= 0) return slot;
    const { length } = this.nodes;
    return slot === TRIGGER_SLOT ? length : slot === PAYLOAD_SLOT ? length + 1 : length + 2;
  }

  /** The first cell of a node by what stands in the slots it reads; 0: not known. */
  find(node: number, first: number, second: number): number {
    const wants = this.wants[node] as number;
    if (wants === MANY) return 0;
    if (wants === 2) return (this.byPair[node] as Map<number, number>).get(pairKey(first, second)) ?? 0;
    const row = this.byRoot[node] as Int32Array;
    return first < row.length ? (row[first] as number) : 0;
  }

  /**
   * True when the cell of the node that was left last decides the first cell of this one: all that it reads is what that
   * node has just written, what that node read, or what no node writes.
   */
  isDecidedBy(last: number, node: number): boolean {
    const wants = this.wants[node] as number;
    if (wants === 0) return true;
    if (wants === MANY || !this.isKnownFrom(last, this.first[node] as number)) return false;
    return wants === 1 || this.isKnownFrom(last, this.second[node] as number);
  }

  private isKnownFrom(node: number, slot: number): boolean {
    if (slot === node || slot >= this.nodes.length) return true;
    const wants = this.wants[node] as number;
    return (wants >= 1 && slot === this.first[node]) || (wants >= 2 && slot === this.second[node]);
  }

  /** True when the node's inputs can be told apart. */
  knows(node: number): boolean {
    return (this.wants[node] as number) < MANY;
  }

  keep(node: number, first: number, second: number, cell: number): void {
    if (this.wants[node] === 2) {
      (this.byPair[node] as Map<number, number>).set(pairKey(first, second), cell);
      return;
    }
    const row = roomFor(this.byRoot[node] as Int32Array<ArrayBuffer>, first);
    row[first] = cell;
    this.byRoot[node] = row;
  }
}

function pairKey(first: number, second: number): number {
  return first * 2 ** 26 + second;
}
