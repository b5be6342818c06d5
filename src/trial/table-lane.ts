import type { Check } from '../checks/check.ts';
import type { Engine } from '../engine/engine.ts';
import { bitOf } from '../engine/note-answer.ts';
import type { Graph } from '../engine/graph.ts';
import { COUNTER } from '../engine/session.ts';
import { CellMaker } from '../engine/table/cell-maker.ts';
import { ASK, type Cell } from '../engine/table/cells.ts';
import { TableWalk } from '../engine/table/table-walk.ts';
import { ValueIds } from '../engine/table/value-ids.ts';
import type { CannedModel } from '../intelligence/canned-model.ts';
import type { LaneParts } from './lane.ts';
import { TableView } from './table-view.ts';
import type { Tally } from './tally.ts';
import { STATUSES, STOPS } from '../types/trial.ts';

/** Checks that one trial's failures are kept of, as bits. */
const MAX_CHECKS = 30;
/** Sets of failed checks that are counted apart before they go into the tally one by one. */
const MAX_FAILURES = 32;
const FAULT_BIT = bitOf('fault_tolerance');

/** Null when the program does something on every trial that tables do not know. */
export function createTableLane(parts: LaneParts, engine: Engine, model: CannedModel): TableLane | null {
  const { plan, checks, graphs, rules } = parts;
  const graph = graphs.get('');
  if (!plan.pure || graph === undefined || rules.maxTokens !== Number.POSITIVE_INFINITY) return null;
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
    kept: graph.nodes.map(({ index }) => looksAtOutputs || readNodes.has(index)),
    ...engine.start,
  });
  return new TableLane(parts, table);
}

interface FailedTogether {
  /** Failed checks as bits. */
  readonly failed: number;
  count: number;
  readonly lowest: number;
}

/** Runs trials over tables and judges them; what tables do not know, and what is to be shown, is left to the walk. */
export class TableLane {
  private readonly parts: LaneParts;
  private readonly table: TableWalk;
  private readonly view: TableView;
  private readonly graph: Graph | undefined;
  private readonly checks: readonly Check[];
  /** Positions of the checks that look at more than the end. */
  private readonly duringChecks: Int32Array;
  /** Failed checks on the end, as bits, by the cell that ends a trial. */
  private readonly endFailures: (number | undefined)[] = [];
  /** Checks that failed together: few sets, so looking through them is quicker than hashing. */
  private readonly failures: FailedTogether[] = [];
  private trials = 0;
  private left = 0;

  constructor(parts: LaneParts, table: TableWalk) {
    this.parts = parts;
    this.table = table;
    this.view = new TableView(table);
    this.graph = parts.graphs.get('');
    this.checks = parts.checks;
    this.duringChecks = Int32Array.from(parts.checks.flatMap(({ onEnding }, at) => (onEnding ? [] : [at])));
  }

  /** True while it takes enough of the trials to be worth asking. */
  get isWorthwhile(): boolean {
    return this.left < 64 || this.left < this.trials;
  }

  /** Runs and counts one trial. False: not run, nothing counted. */
  run(trial: number, tally: Tally): boolean {
    const { table, view, checks, duringChecks } = this;
    if (!this.walks(trial)) {
      this.left++;
      return false;
    }
    let failed = this.failedAtEnd();
    for (let i = 0; i < duringChecks.length; i++) {
      const at = duringChecks[i] as number;
      if (!(checks[at] as Check).holds(view)) failed |= 1 << at;
    }
    if (failed !== 0 && tally.wantsDetail(trial)) {
      table.undo();
      return false;
    }
    this.trials++;
    tally.addSquaredTokens(table.tokens);
    if (failed === 0) {
      tally.markPassed(trial);
      table.markPassed();
      return true;
    }
    this.addFailure(failed, trial, tally);
    tally.noteFailed(trial);
    return true;
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

  /** Adds what has been counted since the last time. */
  flush(tally: Tally): void {
    const { table, failures } = this;
    const { cells, visits, passed } = table.table;
    for (let i = 1; i < cells.length; i++) {
      const times = visits[i] as number;
      if (times === 0) continue;
      addCell(cells[i] as Cell, times, tally);
      if (passed[i] === 1) this.addObserved(cells[i] as Cell, tally);
    }
    const edgeOffset = this.graph?.edgeOffset ?? 0;
    for (const [edge, times] of table.edges.entries()) {
      tally.edgeVisits[edgeOffset + edge] = (tally.edgeVisits[edgeOffset + edge] as number) + times;
    }
    for (const { failed, count, lowest } of failures) {
      tally.addFailed(this.positionsOf(failed), count, lowest);
    }
    failures.length = 0;
    table.clear();
  }

  private positionsOf(failed: number): readonly number[] {
    return this.checks.flatMap((_, at) => ((failed >> at) & 1 ? [at] : []));
  }

  private addFailure(failed: number, trial: number, tally: Tally): void {
    for (const known of this.failures) {
      if (known.failed !== failed) continue;
      known.count++;
      return;
    }
    if (this.failures.length < MAX_FAILURES) this.failures.push({ failed, count: 1, lowest: trial });
    else tally.addFailed(this.positionsOf(failed), 1, trial);
  }

  /** What a passing trial was seen to do at a cell. */
  private addObserved({ node, reply }: Cell, tally: Tally): void {
    const { bitsLow = 0, bitsHigh = 0 } = this.graph?.nodes[node] ?? {};
    tally.observedLow |= bitsLow | this.parts.triggerBit;
    tally.observedHigh |= bitsHigh;
    if (reply !== null && reply.faults > 0) tally.observedHigh |= 1 << (FAULT_BIT - 32);
  }

  /** Checks on how and where a trial ended, asked once for each cell that ends one. */
  private failedAtEnd(): number {
    const { last } = this.table;
    const known = this.endFailures[last];
    if (known !== undefined) return known;
    let failed = 0;
    for (const [at, check] of this.checks.entries()) if (check.onEnding && !check.holds(this.view)) failed |= 1 << at;
    while (this.endFailures.length <= last) this.endFailures.push(undefined);
    this.endFailures[last] = failed;
    return failed;
  }
}

function addCell({ kind, node, edge, end, reply }: Cell, times: number, tally: Tally): void {
  const { counters } = tally;
  const count = (counter: number, amount: number): void => {
    counters[counter] = (counters[counter] as number) + amount * times;
  };
  if (reply !== null) {
    count(COUNTER.llmCalls, reply.calls);
    count(COUNTER.llmTokens, reply.promptTokens + reply.completionTokens);
    count(COUNTER.promptTokens, reply.promptTokens);
    count(COUNTER.completionTokens, reply.completionTokens);
    count(COUNTER.repairs, reply.repairs);
    count(COUNTER.faults, reply.faults);
    tally.served[reply.served] = (tally.served[reply.served] as number) + times;
  }
  // Cells that ask stand before the one that ends their node's visit.
  if (kind === ASK) return;
  count(COUNTER.nodeExecutions, 1);
  tally.nodeVisits[node] = (tally.nodeVisits[node] as number) + times;
  if (edge >= 0) tally.edgeVisits[edge] = (tally.edgeVisits[edge] as number) + times;
  if (end === null) return;
  count(COUNTER.workflowStarts, 1);
  if (end.errored) {
    count(COUNTER.nodeFailures, 1);
    count(COUNTER.workflowErrored, 1);
  } else count(end.status === 'completed' ? COUNTER.workflowCompletions : COUNTER.workflowFailures, 1);
  const status = STATUSES.indexOf(end.status);
  const stop = STOPS.indexOf(end.stoppedBy);
  tally.statuses[status] = (tally.statuses[status] as number) + times;
  tally.stops[stop] = (tally.stops[stop] as number) + times;
}
