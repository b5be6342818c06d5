import { MAX_WALK_BYTES } from '../value-bytes.ts';
import { MAX_STEPS } from '../walk.ts';
import { ASK, ASK_AGAIN, GO, KEEP, LEAVE, type Cell } from './cells.ts';
import { roomFor } from './value-ids.ts';

/** Cell `c` stands in `code` from `c << SHIFT` on, with these words. */
export const SHIFT = 3;
export const KIND = 0;
export const NEXT = 1;
export const OUTPUT = 2;
export const BYTES = 3;
export const REPLIES = 4;
export const NEXT_CELL = 5;

/** Outputs of this size can be kept at every step of a walk: nobody needs to add them up. */
const LIGHT_BYTES = Math.floor(MAX_WALK_BYTES / MAX_STEPS);

/** Cells spread over integer arrays, so that the hot loop touches few cache lines and no objects. */
export class CellTable {
  readonly cells: Cell[] = [UNKNOWN_CELL];
  code: Int32Array<ArrayBuffer>;
  /** The node of each cell. */
  nodes: Int32Array<ArrayBuffer>;
  /** For cells with one edge and nothing to keep, the next cell where it is known: the shortest way through; else 0. */
  straight: Int32Array<ArrayBuffer>;
  /** For cells that ask: the next cell by served variant, from the position in `REPLIES` on; 0: not known yet. */
  after: Int32Array<ArrayBuffer>;
  /** Tokens and billed calls of the answer that leads to a cell. */
  tokens: Float64Array<ArrayBuffer>;
  calls: Int32Array<ArrayBuffer>;
  /** Visits since the counts were last cleared. */
  visits: Float64Array<ArrayBuffer>;
  /** 1 for cells that a passing trial has visited since then. */
  passed: Int32Array<ArrayBuffer>;
  /** Cells with visits to count that no passing trial has visited since then. */
  unmarked = 0;
  /** The only first cell of each node that reads nothing; 0: not made yet, or there may be several. */
  readonly sole: Int32Array;
  private readonly row: number;
  private replies = 1;
  private countable = 0;

  /** `row`: variants of all turns together. `room`: cells that there is room for at first, at least one. */
  constructor(row: number, nodes: number, room: number) {
    this.row = row;
    this.sole = new Int32Array(nodes);
    this.code = new Int32Array(room << SHIFT).fill(LEAVE, 0, 1);
    this.nodes = new Int32Array(room);
    this.straight = new Int32Array(room);
    this.after = new Int32Array(room);
    this.tokens = new Float64Array(room);
    this.calls = new Int32Array(room);
    this.visits = new Float64Array(room);
    this.passed = new Int32Array(room);
  }

  /** Says that a node reads nothing, so that this is its only first cell: edges into it need no look-up. */
  markSole(node: number, cell: number): void {
    this.sole[node] = cell;
    for (let other = 1; other < this.cells.length; other++) {
      const at = other << SHIFT;
      const kind = this.code[at + KIND];
      if ((kind !== GO && kind !== KEEP) || this.code[at + NEXT] !== node) continue;
      this.code[at + NEXT_CELL] = cell;
      if (kind === GO) this.straight[other] = cell;
    }
  }

  /** Says which cell a node that reads one slot has for what stands there: whoever has just written that leads to it. */
  linkReaders(node: number, slot: number, output: number, cell: number): void {
    for (let writer = 1; writer < this.cells.length; writer++) {
      const at = writer << SHIFT;
      if (this.code[at + KIND] !== KEEP || this.nodes[writer] !== slot) continue;
      if (this.code[at + NEXT] === node && this.code[at + OUTPUT] === output) this.code[at + NEXT_CELL] = cell;
    }
  }

  /** Adds a cell and gives its number; `keep`: its output is read by somebody. */
  add(made: Cell, keep: boolean): number {
    const cell = this.cells.length;
    this.cells.push(made);
    this.code = roomFor(this.code, ((cell + 1) << SHIFT) - 1);
    this.calls = roomFor(this.calls, cell);
    this.passed = roomFor(this.passed, cell);
    this.visits = wideRoomFor(this.visits, cell);
    this.tokens = wideRoomFor(this.tokens, cell);
    const at = cell << SHIFT;
    const output = keep ? made.output : 0;
    const isLight = output === 0 && made.planned.bytes <= LIGHT_BYTES;
    this.code[at + KIND] = kindIn(made, isLight);
    this.code[at + NEXT] = made.next;
    this.code[at + OUTPUT] = output;
    this.code[at + BYTES] = made.planned.bytes;
    this.straight = roomFor(this.straight, cell);
    this.nodes = roomFor(this.nodes, cell);
    this.nodes[cell] = made.node;
    if (made.kind === GO) {
      this.code[at + NEXT_CELL] = this.sole[made.next] ?? 0;
      if (isLight) this.straight[cell] = this.code[at + NEXT_CELL] as number;
    }
    // The first request of a visit is not counted: its cell is never on a trail.
    if (this.code[at + KIND] !== ASK) {
      this.countable++;
      this.unmarked++;
    }
    if (made.kind === ASK) {
      this.code[at + REPLIES] = this.replies;
      this.replies += this.row;
      this.after = roomFor(this.after, this.replies);
    }
    if (made.reply !== null) {
      this.tokens[cell] = made.reply.promptTokens + made.reply.completionTokens;
      this.calls[cell] = made.reply.calls;
    }
    return cell;
  }

  /** Sets visits and marks to 0. */
  clear(): void {
    this.visits.fill(0);
    this.passed.fill(0);
    this.unmarked = this.countable;
  }
}

function kindIn({ kind, reply }: Cell, isLight: boolean): number {
  if (kind === GO && !isLight) return KEEP;
  return kind === ASK && reply !== null ? ASK_AGAIN : kind;
}

function wideRoomFor(array: Float64Array<ArrayBuffer>, index: number): Float64Array<ArrayBuffer> {
  if (index < array.length) return array;
  const grown = new Float64Array(Math.max(index + 1, array.length * 2));
  grown.set(array);
  return grown;
}

/** Cell 0: what the table does not know. */
const UNKNOWN_CELL: Cell = {
  kind: LEAVE,
  node: 0,
  planned: { move: { kind: 'pause' }, route: null, bytes: 0, replies: null },
  output: 0,
  next: 0,
  edge: -1,
  route: null,
  end: null,
  response: null,
  reply: null,
  inputFromModel: false,
};
