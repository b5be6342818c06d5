import type { Json } from '../../types/json.ts';
import { chooseEdge } from '../choose-edge.ts';
import type { Graph, GraphNode, SlotRead } from '../graph.ts';
import { PAYLOAD_SLOT, TRIGGER_SLOT } from '../graph.ts';
import { lookUp } from '../path.ts';
import { MAX_WALK_BYTES } from '../value-bytes.ts';
import { MAX_STEPS } from '../walk.ts';
import { ASK, ASK_AGAIN, type Cell, CHOOSE, END, GO, KEEP } from './cells.ts';
import type { CellMaker } from './cell-maker.ts';
import { BYTES, KIND, NEXT, NEXT_CELL, OUTPUT, REPLIES, SHIFT, CellTable } from './cell-table.ts';
import { InputTable } from './input-table.ts';
import { TableTrial } from './table-trial.ts';
import { isFromModel, roomFor, type ValueIds } from './value-ids.ts';

/** Draws the model's answers of one trial. */
export interface AnswerSource {
  begin(trial: number): void;
  /** The number of the line of answers that serves a node. */
  lineOf(node: string): number;
  /** Position of a line's next answer in the row of all turns' variants; −1: the table does not know it. */
  take(line: number): number;
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
  readonly kept: readonly boolean[];
}

/** Why the hot loop stopped. */
const ENDED = 0;
const MISSING = 1;
const LEFT = 2;
/**
 * Walks trials of a pure program over integer tables. A cell is what one node's step moved to for one set of inputs, or
 * after one answer; cells are made by calling the steps, so table and walk cannot differ in meaning. Every visit
 * dispatches its node, counts, and is on the path. What the table does not know, it leaves to the walk.
 */
export class TableWalk extends TableTrial {
  private readonly options: TableOptions;
  private readonly answers: AnswerSource;
  /** The line of answers that serves each node. */
  private readonly lines: Int32Array;
  private readonly inputs: InputTable;
  private readonly loops: Int32Array;
  /** Where the trial stands between two rounds of the hot loop. */
  private node = 0;
  private readonly entry: number;
  private bytes = 0;
  /** Cells that the trail has room for. */
  private room = Math.min(this.trail.length, MAX_STEPS) - 1;
  /** The answer that has no cell yet; −1: no answer waits. */
  private served = -1;
  private written = 0;
  private readonly writtenNodes: Int32Array;

  constructor(options: TableOptions) {
    const { graph, ids } = options;
    const count = graph.nodes.length;
    // Slots: nodes first, then trigger, payload, and nothing.
    super(
      new CellTable(options.row, count, options.room),
      ids,
      new Int32Array(count + 3),
      new Float64Array(graph.edgeCount),
    );
    this.options = options;
    this.entry = options.entry;
    this.answers = options.answers;
    this.lines = Int32Array.from(graph.nodes, ({ id }) => options.answers.lineOf(id));
    this.inputs = new InputTable(graph);
    this.slots[this.inputs.slotOf(TRIGGER_SLOT)] = ids.idOf(options.trigger, false);
    this.slots[this.inputs.slotOf(PAYLOAD_SLOT)] = ids.idOf(options.payload, false);
    this.loops = new Int32Array(graph.edgeCount);
    this.writtenNodes = new Int32Array(count);
  }

  /** Walks one trial. False: the table does not know the way, and nothing has been counted. */
  run(trial: number): boolean {
    this.reset();
    this.answers.begin(trial);
    for (let isNew = true; ; isNew = false) {
      const stop = this.follow(isNew);
      if (stop === ENDED) return true;
      if (stop === LEFT || !this.addMissing()) {
        this.undo();
        return false;
      }
    }
  }

  /**
   * The hot loop: follows cells until the trial ends, or until something is missing. Nothing grows in here, so every
   * array stays where it is.
   */
  private follow(isNew: boolean): number {
    const { lines, answers, table, trail } = this;
    const { code, nodes, straight, visits, after } = table;
    const { room } = this;
    let node = isNew ? this.entry : this.node;
    let length = isNew ? 0 : this.length;
    let bytes = isNew ? 0 : this.bytes;
    let cell = isNew ? (table.sole[node] as number) : this.cell;
    let tokens = isNew ? 0 : this.tokens;
    let llmCalls = isNew ? 0 : this.llmCalls;
    let asks = isNew ? 0 : this.asks;
    let stop = MISSING as number;
    while (length < room) {
      if (cell === 0) {
        cell = this.firstCell(node);
        if (cell === 0) break;
      }
      const ahead = straight[cell] as number;
      if (ahead > 0) {
        visits[cell] = (visits[cell] as number) + 1;
        trail[length++] = cell;
        cell = ahead;
        continue;
      }
      const at = cell << SHIFT;
      const kind = code[at + KIND] as number;
      if (kind !== ASK) {
        visits[cell] = (visits[cell] as number) + 1;
        trail[length++] = cell;
      }
      if (kind === GO) {
        cell = 0;
        node = code[at + NEXT] as number;
        continue;
      }
      if (kind === ASK || kind === ASK_AGAIN) {
        node = nodes[cell] as number;
        if (kind === ASK_AGAIN) asks++;
        const served = answers.take(lines[node] as number);
        if (served < 0) {
          stop = LEFT;
          break;
        }
        const next = after[(code[at + REPLIES] as number) + served] as number;
        if (next === 0) {
          this.served = served;
          break;
        }
        cell = next;
        tokens += table.tokens[cell] as number;
        llmCalls += table.calls[cell] as number;
        continue;
      }
      bytes += code[at + BYTES] as number;
      const output = code[at + OUTPUT] as number;
      if (output !== 0) this.write(nodes[cell] as number, output);
      stop = kind === END ? ENDED : LEFT;
      if (kind === KEEP) node = code[at + NEXT] as number;
      else if (kind === CHOOSE) node = this.choose(cell);
      else break;
      if (bytes > MAX_WALK_BYTES || node < 0) break;
      stop = MISSING;
      cell = kind === KEEP ? (code[at + NEXT_CELL] as number) : 0;
    }
    this.length = length;
    if (stop !== ENDED || bytes > MAX_WALK_BYTES) {
      // Only what goes on needs to know where.
      if (bytes > MAX_WALK_BYTES) stop = LEFT;
      this.node = node;
      this.bytes = bytes;
    }
    this.cell = cell;
    this.tokens = tokens;
    this.llmCalls = llmCalls;
    this.asks = asks;
    return stop;
  }

  /** The cell of a node for what stands in the slots it reads; 0: not known. */
  private firstCell(node: number): number {
    const { slots, inputs } = this;
    const root = slots[inputs.first[node] as number] as number;
    if ((inputs.wants[node] as number) >= 2) {
      return inputs.findPair(node, root, slots[inputs.second[node] as number] as number);
    }
    const row = inputs.byRoot[node] as Int32Array;
    return root < row.length ? (row[root] as number) : 0;
  }

  private write(node: number, output: number): void {
    if (this.slots[node] === 0) this.writtenNodes[this.written++] = node;
    this.slots[node] = output;
  }

  /** Makes what the hot loop was missing: room, or a cell. False: left to the walk. */
  private addMissing(): boolean {
    if (this.served >= 0) {
      this.cell = this.addReply(this.cell, this.served);
      this.served = -1;
      if (this.cell === 0) return false;
      this.tokens += this.table.tokens[this.cell] as number;
      this.llmCalls += this.table.calls[this.cell] as number;
      return true;
    }
    if (this.length >= MAX_STEPS - 1) return false;
    if (this.length < this.trail.length - 1) return this.addFirst(this.node);
    this.trail = roomFor(this.trail, this.length * 2);
    this.room = Math.min(this.trail.length, MAX_STEPS) - 1;
    return true;
  }

  private reset(): void {
    const { slots, writtenNodes, written } = this;
    for (let i = 0; i < written; i++) slots[writtenNodes[i] as number] = 0;
    this.written = 0;
    this.served = -1;
    // What `undo` goes by, should a step throw.
    this.length = 0;
    if (this.takenEdges.length > 0) {
      this.loops.fill(0);
      this.takenEdges.length = 0;
    }
  }

  /** The id of what a read leads to. */
  private read({ slot, segments }: SlotRead): number {
    const { ids } = this.options;
    const root = this.slots[this.inputs.slotOf(slot)] as number;
    const value = ids.valueOf(root);
    if (value === undefined || segments.length === 0) return root;
    return ids.idOf(lookUp(value, segments, 0), isFromModel(root));
  }

  private addFirst(index: number): boolean {
    const { inputs, slots, options } = this;
    const node = options.graph.nodes[index] as GraphNode;
    if (!inputs.knows(index)) return false;
    const ids = node.reads.map((read) => this.read(read));
    const made = options.maker.first(node, ids);
    if (made === null) return false;
    const cell = this.table.add(made, options.kept[index] === true);
    const first = slots[inputs.first[index] as number] as number;
    inputs.keep(index, first, slots[inputs.second[index] as number] as number, cell);
    if (ids.length === 0) this.table.markSole(index, cell);
    if (ids.length === 1) this.table.linkReaders(index, inputs.first[index] as number, first, cell);
    return true;
  }

  private addReply(ask: number, served: number): number {
    const { table, options } = this;
    const asked = table.cells[ask] as Cell;
    const made = options.maker.reply(options.graph.nodes[asked.node] as GraphNode, asked, served);
    if (made === null) return 0;
    const cell = table.add(made, options.kept[asked.node] === true);
    table.after[(table.code[(ask << SHIFT) + REPLIES] as number) + served] = cell;
    return cell;
  }

  /** The node that loop budgets lead to; −1: left to the walk, which tells how such a trial ends. */
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
