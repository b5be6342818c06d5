import { CELL, type Cell } from './cells.ts';
import { roomFor } from './value-ids.ts';

/** Words of one cell in `code`. */
export const WORD = { kind: 0, next: 1, output: 2, bytes: 3, replies: 4, node: 5, nextCell: 6 } as const;
/** Cell `c` stands at `c << SHIFT`. */
export const SHIFT = 3;

/** Cells spread over integer arrays, so that the hot loop touches few cache lines and no objects. */
export class CellTable {
  readonly cells: Cell[] = [LEAVE];
  code = new Int32Array(64 << SHIFT).fill(CELL.leave, 0, 1);
  /** For cells that ask: the next cell by served variant, from the position in `WORD.replies` on; 0: not known yet. */
  after = new Int32Array(64);
  /** Tokens and billed calls of the answer that leads to a cell. */
  tokens = new Float64Array(64);
  calls = new Int32Array(64);
  /** Visits since the counts were last cleared. */
  visits = new Float64Array(64);
  private readonly row: number;
  private readonly sole: Int32Array;
  private replies = 1;

  /** `row`: variants of all turns together. */
  constructor(row: number, nodes: number) {
    this.row = row;
    this.sole = new Int32Array(nodes);
  }

  /** Says that a node reads nothing, so that this is its only first cell: edges into it need no look-up. */
  markSole(node: number, cell: number): void {
    this.sole[node] = cell;
    for (let other = 1; other < this.cells.length; other++) {
      const at = other << SHIFT;
      if (this.code[at + WORD.kind] === CELL.go && this.code[at + WORD.next] === node)
        this.code[at + WORD.nextCell] = cell;
    }
  }

  /** Adds a cell and gives its number; `keep`: its output is read by somebody. */
  add(made: Cell, keep: boolean): number {
    const cell = this.cells.length;
    this.cells.push(made);
    this.code = roomFor(this.code, ((cell + 1) << SHIFT) - 1);
    this.calls = roomFor(this.calls, cell);
    this.visits = wideRoomFor(this.visits, cell);
    this.tokens = wideRoomFor(this.tokens, cell);
    const at = cell << SHIFT;
    this.code[at + WORD.kind] = made.kind;
    this.code[at + WORD.next] = made.next;
    this.code[at + WORD.output] = keep ? made.output : 0;
    this.code[at + WORD.bytes] = made.planned.bytes;
    this.code[at + WORD.node] = made.node;
    if (made.kind === CELL.go) this.code[at + WORD.nextCell] = this.sole[made.next] ?? 0;
    if (made.kind === CELL.ask) {
      this.code[at + WORD.replies] = this.replies;
      this.replies += this.row;
      this.after = roomFor(this.after, this.replies);
    }
    if (made.reply !== null) {
      this.tokens[cell] = made.reply.promptTokens + made.reply.completionTokens;
      this.calls[cell] = made.reply.calls;
    }
    return cell;
  }
}

function wideRoomFor(array: Float64Array<ArrayBuffer>, index: number): Float64Array<ArrayBuffer> {
  if (index < array.length) return array;
  const grown = new Float64Array(Math.max(index + 1, array.length * 2));
  grown.set(array);
  return grown;
}

/** Cell 0: what the table does not know. */
const LEAVE: Cell = {
  kind: CELL.leave,
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
