import type { Json } from '../../types/json.ts';
import { chooseEdge } from '../choose-edge.ts';
import type { Graph, GraphNode, SlotRead } from '../graph.ts';
import { PAYLOAD_SLOT, TRIGGER_SLOT } from '../graph.ts';
import { lookUp } from '../path.ts';
import { MAX_STEPS } from '../step-limit.ts';
import { ASK_AGAIN, type Cell, END, GO } from './cells.ts';
import type { CellMaker } from './cell-maker.ts';
import { CellTable, MAX_LARGE_BYTES } from './cell-table.ts';
import {
  AGAIN,
  BYTES,
  CALLS,
  ENDED,
  KIND,
  LEFT,
  NEXT,
  NEXT_CELL,
  NODE,
  REPLIES,
  SHIFT,
  VISITS,
  WAY,
} from './cell-words.ts';
import { InputTable } from './input-table.ts';
import { TableTrial } from './table-trial.ts';
import { isFromModel, type ValueIds } from './value-ids.ts';

/** Draws the model's answers of one trial. */
export interface AnswerSource {
  begin(trial: number): void;
  /** The number of the queue of answers that serves a node. */
  queueOf(node: string): number;
  /** Position of a queue's next answer in the row of all turns' variants; −1: the table does not know it. */
  take(queue: number): number;
}

export interface TableOptions {
  readonly graph: Graph;
  readonly entry: number;
  readonly payload: Json;
  readonly trigger: Json;
  readonly maker: CellMaker;
  readonly ids: ValueIds;
  readonly answers: AnswerSource;
  /** Variants of all turns together. */
  readonly row: number;
  /** Cells that there is room for at first, at least one; more room is made when it is needed. */
  readonly room: number;
  /** Nodes whose outputs somebody reads. */
  readonly isOutputRead: readonly boolean[];
}

/**
 * Walks trials of a pure program over integer tables. A cell is what one node's step moved to for one set of inputs, or
 * after one answer; cells are made by calling the steps, so table and walk cannot differ in meaning. Every visit
 * dispatches its node, counts, and is on the path. What the table does not know, it leaves to the walk.
 */
export class TableWalk extends TableTrial {
  private readonly options: TableOptions;
  private readonly answers: AnswerSource;
  /** The queue of answers that serves each node. */
  private readonly queues: Int32Array;
  private readonly inputs: InputTable;
  private readonly loops: Int32Array;
  /** The first cell of every trial: what stands in slots before one is always the same. 0: not made yet. */
  private first = 0;
  /** Bytes of large outputs. */
  private bytes = 0;
  /** Cells that the trail has room for. */
  private room = Math.min(this.trail.length, MAX_STEPS) - 1;

  constructor(options: TableOptions) {
    const { graph, ids } = options;
    const count = graph.nodes.length;
    // Slots: nodes first, then trigger, payload, and nothing.
    const slots = new Int32Array(count + 3);
    super(new CellTable(options.row, count, options.room), ids, slots, new Float64Array(graph.edgeCount));
    this.options = options;
    this.answers = options.answers;
    this.queues = Int32Array.from(graph.nodes, ({ id }) => options.answers.queueOf(id));
    this.inputs = new InputTable(graph);
    slots[this.inputs.slotOf(TRIGGER_SLOT)] = ids.idOf(options.trigger, false);
    slots[this.inputs.slotOf(PAYLOAD_SLOT)] = ids.idOf(options.payload, false);
    this.loops = new Int32Array(graph.edgeCount);
  }

  /** Walks one trial. False: the table does not know the way, and nothing has been counted. */
  run(trial: number): boolean {
    let end = this.walk(trial);
    while (end === AGAIN) end = this.walk(trial);
    return end === ENDED;
  }

  /**
   * All that most trials need is written down in here: a function of this length is compiled by itself, always alike,
   * where shorter ones would be put into the loop over trials as far as there happens to be room for them. What is
   * rare leaves it for good: code that comes back from elsewhere has to look up all over again what it works on.
   */
  private walk(trial: number): number {
    const { answers, table } = this;
    this.length = 0;
    this.asks = 0;
    this.tokens = 0;
    this.llmCalls = 0;
    this.bytes = 0;
    if (this.written + this.takenEdges.length > 0) this.putBack();
    answers.begin(trial);
    let length = 0;
    let met = 0;
    let cell = this.first;
    while (cell > LEFT) {
      if ((table.code[(cell << SHIFT) + KIND] as number) <= ASK_AGAIN) {
        const at = cell << SHIFT;
        const served = answers.take(this.queues[table.code[at + NODE] as number] as number);
        if (served < 0) break;
        const next = table.after[(table.code[at + REPLIES] as number) + served] as number;
        if (next === 0) return this.learnReply(cell, served);
        this.tokens += table.tokens[next] as number;
        this.llmCalls += table.code[(next << SHIFT) + CALLS] as number;
        cell = next;
      }
      const { trail, expected, room } = this;
      const { code } = table;
      let at = cell << SHIFT;
      for (;;) {
        code[at + VISITS] = (code[at + VISITS] as number) + 1;
        // Adds 1 where the node is the expected one, without a branch that nobody can predict.
        met += (((code[at + NODE] as number) ^ (expected[length] as number)) - 1) >>> 31;
        trail[length++] = cell;
        const next = code[at + WAY] as number;
        if (next === 0 || length === room) break;
        cell = next;
        at = cell << SHIFT;
      }
      this.length = length;
      this.met = met;
      this.cell = cell;
      if (code[at + KIND] === END && code[at + BYTES] === 0) return ENDED;
      cell = this.goOn(cell);
    }
    if (cell === ENDED) return ENDED;
    this.undo();
    return this.first === 0 ? this.learnFirst() : LEFT;
  }

  private learnFirst(): number {
    this.first = this.firstCell(this.options.entry);
    return this.first === LEFT ? LEFT : AGAIN;
  }

  private learnReply(cell: number, served: number): number {
    const reply = this.addReply(cell, served);
    this.undo();
    return reply === LEFT ? LEFT : AGAIN;
  }

  private putBack(): void {
    this.clearOutputs();
    this.loops.fill(0);
    this.takenEdges.length = 0;
  }

  /** Where a trial goes on after the cell that was visited last: a cell to visit, or one that asks first. */
  private goOn(last: number): number {
    const { code } = this.table;
    const at = last << SHIFT;
    const kind = code[at + KIND] as number;
    this.bytes += code[at + BYTES] as number;
    if (this.bytes > MAX_LARGE_BYTES) return LEFT;
    if (kind === END) return ENDED;
    if (this.length === this.room && !this.makeRoom()) return LEFT;
    if (kind === ASK_AGAIN) {
      this.asks++;
      return last;
    }
    const nextCell = code[at + NEXT_CELL] as number;
    if (nextCell !== 0) return nextCell;
    const node = kind === GO ? (code[at + NEXT] as number) : this.choose(last);
    if (node < 0) return LEFT;
    const next = this.firstCell(node);
    const isSole = kind === GO && this.inputs.isDecidedBy(code[at + NODE] as number, node);
    if (isSole && next !== LEFT) this.table.link(last, next);
    return next;
  }

  private makeRoom(): boolean {
    if (this.room === MAX_STEPS - 1) return false;
    this.growTrail();
    this.room = Math.min(this.trail.length, MAX_STEPS) - 1;
    return true;
  }

  /** The cell of a node for what stands in the slots it reads. */
  private firstCell(node: number): number {
    const { inputs } = this;
    const wants = inputs.wants[node] as number;
    const first = wants === 0 ? 0 : this.slotAt(inputs.first[node] as number);
    const second = wants < 2 ? 0 : this.slotAt(inputs.second[node] as number);
    const cell = inputs.find(node, first, second);
    return cell === 0 ? this.addFirst(node, first, second) : cell;
  }

  private addFirst(index: number, first: number, second: number): number {
    const { inputs, options } = this;
    const node = options.graph.nodes[index] as GraphNode;
    if (!inputs.knows(index)) return LEFT;
    const made = options.maker.first(
      node,
      node.reads.map((read) => this.read(read)),
    );
    if (made === null) return LEFT;
    const cell = this.table.add(made, options.isOutputRead[index] === true);
    inputs.keep(index, first, second, cell);
    return cell;
  }

  private addReply(ask: number, served: number): number {
    const { table, options } = this;
    const askCell = table.cells[ask] as Cell;
    const made = options.maker.reply(options.graph.nodes[askCell.node] as GraphNode, askCell, served);
    if (made === null) return LEFT;
    const cell = table.add(made, options.isOutputRead[askCell.node] === true);
    table.after[(table.code[(ask << SHIFT) + REPLIES] as number) + served] = cell;
    return cell;
  }

  /** The id of what a read leads to. */
  private read({ slot, segments }: SlotRead): number {
    const { ids } = this.options;
    const root = this.slotAt(this.inputs.slotOf(slot));
    const value = ids.valueOf(root);
    if (value === undefined || segments.length === 0) return root;
    return ids.idOf(lookUp(value, segments, 0), isFromModel(root));
  }

  /** The node that loop budgets lead to; negative: left to the walk, which tells how such a trial ends. */
  private choose(cell: number): number {
    const { route } = this.table.cells[cell] as Cell;
    if (route === null) return -1;
    const edge = chooseEdge(route, this.loops);
    if (edge === 'loop_spent' || 'candidates' in edge) return -1;
    if (edge.maxIterations >= 0) this.loops[edge.index] = (this.loops[edge.index] as number) + 1;
    this.edges[edge.index] = (this.edges[edge.index] as number) + 1;
    this.takenEdges.push(edge.index);
    return edge.to;
  }
}
