import type { Json } from '../../types/json.ts';
import { chooseEdge } from '../choose-edge.ts';
import type { Graph, GraphNode, SlotRead } from '../graph.ts';
import { PAYLOAD_SLOT, TRIGGER_SLOT } from '../graph.ts';
import { lookUp } from '../path.ts';
import { MAX_WALK_BYTES } from '../value-bytes.ts';
import { MAX_STEPS } from '../walk.ts';
import { CELL, type Cell, type CellEnd } from './cells.ts';
import type { CellMaker } from './cell-maker.ts';
import { isFromModel, roomFor, type ValueIds } from './value-ids.ts';

/** Draws the model's answers of one trial. */
export interface AnswerSource {
  begin(trial: number): void;
  /** Position of the next answer for a node in the row of all turns' variants; −1: the table does not know it. */
  take(node: string): number;
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
  /** Nodes whose outputs somebody reads. */
  readonly kept: readonly boolean[];
}

/**
 * Walks trials of a pure program over integer tables. A cell is what one node's step moved to for one set of inputs, or
 * after one answer; cells are made by calling the steps, so table and walk cannot differ in meaning. Every visit
 * dispatches its node, counts, and is on the path. What the table does not know, it leaves to the walk.
 */
export class TableWalk {
  /** The trial just walked: visited nodes in order. */
  path = new Int32Array(64);
  steps = 0;
  llmCalls = 0;
  promptTokens = 0;
  completionTokens = 0;
  repairs = 0;
  faults = 0;
  /** The cell it ended at. */
  last = 0;
  /** Visits by cell since the last `clear`, over all trials that were not left or undone. */
  visits = new Float64Array(64);
  readonly cells: Cell[] = [LEAVE];
  readonly edges: Float64Array;

  private readonly options: TableOptions;
  private readonly nodes: readonly GraphNode[];
  private kinds = new Int32Array(64).fill(CELL.leave, 0, 1);
  private nexts = new Int32Array(64);
  private outputs = new Int32Array(64);
  private sizes = new Int32Array(64);
  private readonly replies: (Int32Array | null)[] = [null];
  private readonly slots: Int32Array;
  private readonly byInput: Int32Array<ArrayBuffer>[];
  private readonly byPair: Map<number, number>[];
  private readonly derived: Map<SlotRead, Int32Array<ArrayBuffer>> = new Map();
  private readonly reads: readonly (readonly SlotRead[])[];
  private readonly triggerId: number;
  private readonly payloadId: number;
  private readonly loops: Int32Array;
  private looped = false;
  private trail = new Int32Array(128);
  private trailLength = 0;
  private readonly takenEdges: number[] = [];

  constructor(options: TableOptions) {
    const { graph, ids } = options;
    this.options = options;
    this.nodes = graph.nodes;
    this.reads = graph.nodes.map((node) => node.reads);
    this.slots = new Int32Array(graph.nodes.length);
    this.byInput = graph.nodes.map(() => new Int32Array(1));
    this.byPair = graph.nodes.map(() => new Map());
    this.edges = new Float64Array(graph.edgeCount);
    this.loops = new Int32Array(graph.edgeCount);
    this.triggerId = ids.idOf(options.trigger, false);
    this.payloadId = ids.idOf(options.payload, false);
  }

  /** Walks one trial. False: the table does not know the way, and nothing has been counted. */
  run(trial: number): boolean {
    const { slots, nodes, reads, options } = this;
    const { answers } = options;
    this.reset();
    answers.begin(trial);
    let node = options.entry;
    let bytes = 0;
    for (;;) {
      if (this.steps >= MAX_STEPS) return this.leave();
      const wants = reads[node] as readonly SlotRead[];
      let cell: number;
      if (wants.length === 0) {
        cell = (this.byInput[node] as Int32Array)[0] as number;
      } else if (wants.length === 1) {
        const row = this.byInput[node] as Int32Array;
        const id = this.read(wants[0] as SlotRead);
        cell = id < row.length ? (row[id] as number) : 0;
      } else {
        cell = this.findPair(node, wants);
      }
      if (cell === 0) cell = this.addFirst(node, wants);
      if (this.steps === this.path.length) this.path = roomFor(this.path, this.steps);
      this.path[this.steps++] = node;
      let kind = this.kinds[cell] as number;
      while (kind === CELL.ask) {
        this.count(cell);
        const served = answers.take((nodes[node] as GraphNode).id);
        if (served < 0) return this.leave();
        const after = (this.replies[cell] as Int32Array)[served] as number;
        cell = after === 0 ? this.addReply(cell, served) : after;
        this.addReplyCounters(cell);
        kind = this.kinds[cell] as number;
      }
      if (kind === CELL.leave) return this.leave();
      this.count(cell);
      const output = this.outputs[cell] as number;
      if (output !== 0) slots[node] = output;
      bytes += this.sizes[cell] as number;
      if (bytes > MAX_WALK_BYTES) return this.leave();
      if (kind === CELL.go) {
        node = this.nexts[cell] as number;
        continue;
      }
      if (kind === CELL.choose) {
        const edge = this.choose(cell);
        if (edge < 0) return this.leave();
        if (edge < nodes.length) {
          node = edge;
          continue;
        }
      }
      this.last = cell;
      return true;
    }
  }

  /** Takes the trial just walked back out of the counts. */
  undo(): void {
    const { visits, trail } = this;
    for (let i = 0; i < this.trailLength; i++) {
      const cell = trail[i] as number;
      visits[cell] = (visits[cell] as number) - 1;
    }
    for (const edge of this.takenEdges) this.edges[edge] = (this.edges[edge] as number) - 1;
  }

  /** Cells of the trial just walked, in order. */
  eachCell(visit: (cell: Cell, position: number) => void): void {
    for (let i = 0; i < this.trailLength; i++) {
      const position = this.trail[i] as number;
      visit(this.cells[position] as Cell, position);
    }
  }

  /** How the trial just walked ended. */
  end(): CellEnd {
    return (this.cells[this.last] as Cell).end as CellEnd;
  }

  output(node: number): Json | undefined {
    return this.options.ids.valueOf(this.slots[node] as number);
  }

  clear(): void {
    this.visits.fill(0);
    this.edges.fill(0);
  }

  private reset(): void {
    const { path, slots } = this;
    for (let i = 0; i < this.steps; i++) slots[path[i] as number] = 0;
    this.steps = 0;
    this.trailLength = 0;
    if (this.llmCalls !== 0 || this.faults !== 0 || this.repairs !== 0) {
      this.llmCalls = 0;
      this.promptTokens = 0;
      this.completionTokens = 0;
      this.repairs = 0;
      this.faults = 0;
    }
    if (this.looped) {
      this.loops.fill(0);
      this.takenEdges.length = 0;
      this.looped = false;
    }
  }

  private leave(): false {
    this.undo();
    return false;
  }

  private count(cell: number): void {
    this.visits[cell] = (this.visits[cell] as number) + 1;
    if (this.trailLength === this.trail.length) this.trail = roomFor(this.trail, this.trailLength);
    this.trail[this.trailLength++] = cell;
  }

  private addReplyCounters(cell: number): void {
    const reply = (this.cells[cell] as Cell).reply;
    if (reply === null) return;
    this.llmCalls += reply.calls;
    this.promptTokens += reply.promptTokens;
    this.completionTokens += reply.completionTokens;
    this.repairs += reply.repairs;
    this.faults += reply.faults;
  }

  private read(read: SlotRead): number {
    const { slot } = read;
    let root = 0;
    if (slot >= 0) root = this.slots[slot] as number;
    else if (slot === TRIGGER_SLOT) root = this.triggerId;
    else if (slot === PAYLOAD_SLOT) root = this.payloadId;
    if (root === 0 || read.segments.length === 0) return root;
    const known = this.derived.get(read);
    const id = known === undefined || root >= known.length ? 0 : (known[root] as number);
    // Stored one higher, so that "not yet looked up" is 0.
    return id === 0 ? this.derive(read, root) : id - 1;
  }

  private derive(read: SlotRead, root: number): number {
    const { ids } = this.options;
    const value = ids.valueOf(root);
    const found = value === undefined ? undefined : lookUp(value, read.segments, 0);
    const id = ids.idOf(found, isFromModel(root));
    const row = roomFor(this.derived.get(read) ?? new Int32Array(16), root);
    row[root] = id + 1;
    this.derived.set(read, row);
    return id;
  }

  private findPair(node: number, wants: readonly SlotRead[]): number {
    if (wants.length !== 2) return 0;
    return (this.byPair[node] as Map<number, number>).get(this.pairKey(wants)) ?? 0;
  }

  private pairKey(wants: readonly SlotRead[]): number {
    return this.read(wants[0] as SlotRead) * 2 ** 26 + this.read(wants[1] as SlotRead);
  }

  private addFirst(node: number, wants: readonly SlotRead[]): number {
    if (wants.length > 2) return 0;
    const inputs = wants.map((read) => this.read(read));
    const made = this.options.maker.first(this.nodes[node] as GraphNode, inputs);
    const cell = made === null ? 0 : this.add(made);
    if (cell === 0) return 0;
    if (wants.length === 2) (this.byPair[node] as Map<number, number>).set(this.pairKey(wants), cell);
    else {
      const id = inputs[0] ?? 0;
      const row = roomFor(this.byInput[node] as Int32Array<ArrayBuffer>, id);
      row[id] = cell;
      this.byInput[node] = row;
    }
    return cell;
  }

  private addReply(ask: number, served: number): number {
    const asked = this.cells[ask] as Cell;
    const made = this.options.maker.reply(this.nodes[asked.node] as GraphNode, asked, served);
    const cell = made === null ? 0 : this.add(made);
    (this.replies[ask] as Int32Array)[served] = cell;
    return cell;
  }

  private add(made: Cell): number {
    const cell = this.cells.length;
    this.kinds = roomFor(this.kinds, cell);
    this.nexts = roomFor(this.nexts, cell);
    this.outputs = roomFor(this.outputs, cell);
    this.sizes = roomFor(this.sizes, cell);
    if (cell >= this.visits.length) {
      const longer = new Float64Array(this.visits.length * 2);
      longer.set(this.visits);
      this.visits = longer;
    }
    this.cells.push(made);
    this.kinds[cell] = made.kind;
    this.nexts[cell] = made.next;
    this.outputs[cell] = this.options.kept[made.node] === true ? made.output : 0;
    this.sizes[cell] = made.planned.bytes;
    this.replies.push(made.kind === CELL.ask ? new Int32Array(this.options.row) : null);
    return cell;
  }

  /** The node a loop leads to; the number of nodes: it ends here; −1: left to the walk. */
  private choose(cell: number): number {
    const { route } = this.cells[cell] as Cell;
    if (route === null) return -1;
    const edge = chooseEdge(route, this.loops);
    // A spent budget ends the trial with the output of this visit, which the walk tells better.
    if (edge === 'loop_spent' || 'candidates' in edge) return -1;
    this.looped = true;
    if (edge.maxIterations >= 0) this.loops[edge.index] = (this.loops[edge.index] as number) + 1;
    this.edges[edge.index] = (this.edges[edge.index] as number) + 1;
    this.takenEdges.push(edge.index);
    return edge.to;
  }
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
