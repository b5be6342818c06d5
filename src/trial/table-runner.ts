import type { Engine } from '../engine/engine.ts';
import { bitOf } from '../engine/note-answer.ts';
import type { Graph } from '../engine/graph.ts';
import { COUNTER } from '../engine/trial-state.ts';
import { CellMaker } from '../engine/table/cell-maker.ts';
import { ASK, type Cell, type CellReply } from '../engine/table/cells.ts';
import { TableWalk } from '../engine/table/table-walk.ts';
import { ValueIds } from '../engine/table/value-ids.ts';
import { MAX_STEPS } from '../engine/step-limit.ts';
import type { CannedModel } from '../intelligence/canned-model.ts';
import { FailureCounts } from './failure-counts.ts';
import type { RunnerParts } from './runner-parts.ts';
import { TableJudge } from './table-judge.ts';
import { TableView } from './table-view.ts';
import type { Tally } from './tally/tally.ts';
import { STATUSES, STOPS } from '../types/trial.ts';
import { isWorkLow } from '../values/work.ts';

/** Checks that one trial's failures are kept of, as bits. */
const MAX_CHECKS = 30;
/** Trials between two flushes at most: even if each stayed at one cell as long as it may, its visits are an integer. */
const MAX_COUNTED = Math.floor(2 ** 31 / MAX_STEPS);
/** Trials between two looks at how much work is left, where checks look at the values of each trial. */
const LOOK_EVERY = 64;
/** Squares are summed here as long as their sum stays exact. */
const EXACT = 2 ** 52;
const FAULT_BIT = bitOf('fault_tolerance');

/** Null when the program does something on every trial that tables do not know. */
export function createTableRunner(parts: RunnerParts, engine: Engine, model: CannedModel): TableRunner | null {
  const { plan, checks, graphs, rules } = parts;
  const graph = graphs.get('');
  if (!plan.traits.sync || parts.chaos !== null || graph === undefined || rules.maxTokens !== Number.POSITIVE_INFINITY)
    return null;
  if (checks.length > MAX_CHECKS || rules.keepPrompts || rules.keepBranches) return null;
  if (checks.some((check) => check.needsFiles)) return null;
  const ids = new ValueIds();
  const readNodes = new Set(graph.nodes.flatMap(({ reads }) => reads.map(({ slot }) => slot)));
  const looksAtOutputs = plan.scenario.expected.values.length > 0;
  const table = new TableWalk({
    graph,
    ids,
    maker: new CellMaker(graph, ids, model.row),
    answers: model,
    row: model.row.length,
    room: parts.tableRoom,
    isOutputRead: graph.nodes.map(({ index }) => looksAtOutputs || readNodes.has(index)),
    ...engine.start,
  });
  return new TableRunner(parts, table);
}

/** Runs trials over tables and judges them; what tables do not know, and what is to be shown, is left to the walk. */
export class TableRunner {
  private readonly parts: RunnerParts;
  private readonly table: TableWalk;
  private readonly judge: TableJudge;
  private readonly graph: Graph | undefined;
  private readonly failures: FailureCounts;
  /** Trials between two looks at how much work is left: most take next to none. */
  private readonly most: number;
  private trials = 0;
  private left = 0;
  /** Trials counted since the last flush. */
  private counted = 0;

  constructor(parts: RunnerParts, table: TableWalk) {
    this.parts = parts;
    this.table = table;
    this.judge = new TableJudge(parts.checks, new TableView(table), table);
    this.graph = parts.graphs.get('');
    this.failures = new FailureCounts(parts.checks.length);
    this.most = this.judge.asksEachTrial ? LOOK_EVERY : MAX_COUNTED;
  }

  /** True while it takes enough of the trials to be worth asking. */
  get isWorthwhile(): boolean {
    return this.left < 64 || this.left < this.trials;
  }

  /**
   * Runs and counts trials from `from` on. Returns `to`, or the first trial that has not been counted: it is not for
   * tables, or work runs low.
   */
  run(from: number, to: number, tally: Tally): number {
    let trial = from;
    while (trial < to) {
      const stop = Math.min(to, trial + this.most, trial + MAX_COUNTED - this.counted);
      const begun = trial;
      trial = this.runCounted(begun, stop, tally);
      this.counted += trial - begun;
      if (trial < stop || isWorkLow()) break;
      if (this.counted === MAX_COUNTED) this.flush(tally);
    }
    return trial;
  }

  private runCounted(from: number, to: number, tally: Tally): number {
    const { table, judge, failures } = this;
    let squares = 0;
    let unnoticed = tally.unnoticedFrom;
    let trial = from;
    for (; trial < to; trial++) {
      if (!this.walks(trial)) {
        this.left++;
        break;
      }
      const failed = judge.failed();
      if (failed !== 0 && trial < unnoticed && tally.wantsDetail(trial)) {
        table.undo();
        break;
      }
      const { tokens } = table;
      if (tokens < 65536 && squares < EXACT) squares += tokens * tokens;
      else tally.addSquaredTokens(tokens);
      if (failed === 0) {
        tally.markPassed(trial);
        table.markPassed();
      } else {
        failures.add(failed, trial, tally);
        if (trial < unnoticed) {
          tally.noteFailed(trial);
          unnoticed = tally.unnoticedFrom;
        }
      }
    }
    this.trials += trial - from;
    tally.addSquares(squares);
    return trial;
  }

  private walks(trial: number): boolean {
    try {
      return this.table.run(trial);
    } catch {
      // A step threw while a cell was made: the walk calls it again and tells why.
      this.table.undo();
      return false;
    }
  }

  /** Adds what has been counted since the last time. Makes nothing: a long run does this millions of times. */
  flush(tally: Tally): void {
    const { table } = this;
    const { cells } = table.table;
    for (let number = 0; number < cells.length; number++) {
      const times = table.table.visits(number);
      if (times === 0) continue;
      const cell = cells[number] as Cell;
      addCell(cell, times, tally);
      if (table.table.hasPassed(number)) this.addObserved(cell, tally);
    }
    const edgeOffset = this.graph?.edgeOffset ?? 0;
    const { edges } = table;
    for (let edge = 0; edge < edges.length; edge++) addAt(tally.edgeVisits, edgeOffset + edge, edges[edge] as number);
    this.failures.flush(tally);
    table.clear();
    this.counted = 0;
  }

  /** What a passing trial was seen to do at a cell. */
  private addObserved({ node, reply }: Cell, tally: Tally): void {
    const { bitsLow = 0, bitsHigh = 0 } = this.graph?.nodes[node] ?? {};
    tally.observedLow |= bitsLow | this.parts.triggerBit;
    tally.observedHigh |= bitsHigh;
    if (reply !== null && reply.faults > 0) tally.observedHigh |= 1 << (FAULT_BIT - 32);
  }
}

function addCell({ kind, node, edge, end, reply }: Cell, times: number, tally: Tally): void {
  const { counters } = tally;
  if (reply !== null) addReply(reply, times, tally);
  // Cells that ask stand before the one that ends their node's visit.
  if (kind === ASK) return;
  addAt(counters, COUNTER.nodeExecutions, times);
  addAt(tally.nodeVisits, node, times);
  if (edge >= 0) addAt(tally.edgeVisits, edge, times);
  if (end === null) return;
  addAt(counters, COUNTER.workflowStarts, times);
  if (end.errored) {
    addAt(counters, COUNTER.nodeFailures, times);
    addAt(counters, COUNTER.workflowErrored, times);
  } else addAt(counters, end.status === 'completed' ? COUNTER.workflowCompletions : COUNTER.workflowFailures, times);
  addAt(tally.statuses, STATUSES.indexOf(end.status), times);
  addAt(tally.stops, STOPS.indexOf(end.stoppedBy), times);
}

function addReply(reply: CellReply, times: number, tally: Tally): void {
  const { counters } = tally;
  const { promptTokens, completionTokens } = reply;
  addAt(counters, COUNTER.llmCalls, reply.calls * times);
  addAt(counters, COUNTER.llmTokens, (promptTokens + completionTokens) * times);
  addAt(counters, COUNTER.promptTokens, promptTokens * times);
  addAt(counters, COUNTER.completionTokens, completionTokens * times);
  addAt(counters, COUNTER.repairs, reply.repairs * times);
  addAt(counters, COUNTER.faults, reply.faults * times);
  addAt(tally.served, reply.served, times);
}

function addAt(counts: number[], at: number, amount: number): void {
  counts[at] = (counts[at] as number) + amount;
}
