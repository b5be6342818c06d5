import { MAX_WALK_BYTES } from '../value-bytes.ts';
import { ASK, ASK_AGAIN, GO, LEAVE, type Cell } from './cells.ts';
import {
  BYTES,
  CALLS,
  KIND,
  NEXT,
  NEXT_CELL,
  NODE,
  OUTPUT,
  PASSED,
  REPLIES,
  SHIFT,
  VISITS,
  WAY,
} from './cell-words.ts';
import { roomFor } from './value-ids.ts';

/** Large outputs of one trial may take so many bytes: whatever its light ones take, the walk would keep them all. */
export const MAX_LARGE_BYTES = MAX_WALK_BYTES / 2;

/**
 * Cells spread over integers. All that the hot loop looks at is in one array: each array that it touched would be
 * checked, and asked where its memory is, again on every step.
 */
export class CellTable {
  readonly cells: Cell[] = [UNKNOWN_CELL];
  code: Int32Array<ArrayBuffer>;
  /** For cells that ask: the next cell by served variant, from the position in `REPLIES` on; 0: not known yet. */
  after: Int32Array<ArrayBuffer>;
  /** Tokens of the answer that leads to a cell. */
  tokens: Float64Array<ArrayBuffer>;
  /** Cells with visits to count that no passing trial has come by since the counts were last cleared. */
  unmarked = 0;
  private readonly row: number;
  /** A walk keeps one output of each node: where all are of this size, nobody needs to add them up. */
  private readonly lightBytes: number;
  private replies = 1;
  private countable = 0;

  /**
   * `row`: variants of all turns together. `nodes`: how many the workflow has. `room`: cells that there is room for at
   * first, at least one.
   */
  constructor(row: number, nodes: number, room: number) {
    this.row = row;
    this.lightBytes = Math.floor((MAX_WALK_BYTES - MAX_LARGE_BYTES) / nodes);
    this.code = new Int32Array(room << SHIFT);
    this.code[KIND] = LEAVE;
    this.after = new Int32Array(room);
    this.tokens = new Float64Array(room);
  }

  /** Says that nothing but `next` ever follows a cell. */
  link(cell: number, next: number): void {
    const { code } = this;
    const at = cell << SHIFT;
    code[at + NEXT_CELL] = next;
    // A cell that asks is not visited itself.
    const isWay = code[at + KIND] === GO && code[at + BYTES] === 0 && code[(next << SHIFT) + KIND] !== ASK;
    if (isWay) code[at + WAY] = next;
  }

  /** Adds a cell and gives its number; `keep`: its output is read by somebody. */
  add(made: Cell, keep: boolean): number {
    const cell = this.cells.length;
    this.cells.push(made);
    this.code = roomFor(this.code, ((cell + 1) << SHIFT) - 1);
    this.tokens = wideRoomFor(this.tokens, cell);
    const { code } = this;
    const { bytes } = made.planned;
    const at = cell << SHIFT;
    code[at + KIND] = made.kind === ASK && made.reply !== null ? ASK_AGAIN : made.kind;
    code[at + NODE] = made.node;
    code[at + NEXT] = made.next;
    code[at + OUTPUT] = keep ? made.output : 0;
    code[at + BYTES] = bytes <= this.lightBytes ? 0 : bytes;
    // The first request of a visit is not counted: its cell is never on a trail.
    if (code[at + KIND] !== ASK) {
      this.countable++;
      this.unmarked++;
    }
    if (made.kind === ASK) {
      code[at + REPLIES] = this.replies;
      this.replies += this.row;
      this.after = roomFor(this.after, this.replies);
    }
    if (made.reply !== null) {
      this.tokens[cell] = made.reply.promptTokens + made.reply.completionTokens;
      code[at + CALLS] = made.reply.calls;
    }
    return cell;
  }

  visits(cell: number): number {
    return this.code[(cell << SHIFT) + VISITS] as number;
  }

  hasPassed(cell: number): boolean {
    return this.code[(cell << SHIFT) + PASSED] === 1;
  }

  /** Sets visits and marks to 0. */
  clear(): void {
    const { code, cells } = this;
    for (let cell = 0; cell < cells.length; cell++) {
      code[(cell << SHIFT) + VISITS] = 0;
      code[(cell << SHIFT) + PASSED] = 0;
    }
    this.unmarked = this.countable;
  }
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
