import type { Check } from '../checks/check.ts';
import type { TableTrial } from '../engine/table/table-trial.ts';
import type { CounterName } from '../types/scenario.ts';
import type { TableView } from './table-view.ts';

/** Counters that differ between trials of a table that end at the same cell, as far as bounds on them are plain. */
const COUNTED: readonly CounterName[] = ['llmCalls', 'llmTokens', 'nodeExecutions'];
/** Counters that nothing but the cell at the end of a trial decides, or that tables never touch. */
const BY_ENDING: ReadonlySet<CounterName> = new Set([
  'policyDenials',
  'nodeFailures',
  'retries',
  'toolCalls',
  'writtenBytes',
  'workflowStarts',
  'workflowCompletions',
  'workflowFailures',
  'workflowTimeouts',
  'workflowErrored',
]);

/**
 * Judges trials of a table. Checks on the end are asked once for each cell that ends one; bounds and paths are compared
 * as numbers, without calling anybody; only what is neither is asked for each trial.
 */
export class TableJudge {
  private readonly checks: readonly Check[];
  private readonly view: TableView;
  private readonly table: TableTrial;
  /** Failed checks on the end, as bits plus 1, by the cell that ends a trial; 0: not asked yet. */
  private endings = new Int32Array(64);
  private readonly atEnd: readonly number[];
  private readonly called: Int32Array;
  private readonly paths: readonly {
    readonly bit: number;
    readonly isExact: boolean;
    readonly positions: Int32Array;
  }[];
  private readonly bounds: readonly Bound[];
  /** All bounds on one counter together: what lies in there meets each of them. */
  private readonly leastCalls: number;
  private readonly mostCalls: number;
  private readonly leastTokens: number;
  private readonly mostTokens: number;
  private readonly leastSteps: number;
  private readonly mostSteps: number;

  constructor(checks: readonly Check[], view: TableView, table: TableTrial) {
    this.checks = checks;
    this.view = view;
    this.table = table;
    const kinds = checks.map(kindOf);
    const ofKind = (wanted: string): readonly number[] => kinds.flatMap((kind, at) => (kind === wanted ? [at] : []));
    this.atEnd = ofKind('ending');
    this.called = Int32Array.from(ofKind('called'));
    this.paths = checks.flatMap(({ plain }, at) => (plain?.kind === 'path' ? [{ bit: 1 << at, ...plain }] : []));
    this.bounds = ofKind('bound').flatMap((at) => {
      const plain = checks[at]?.plain;
      return plain?.kind === 'bound' ? [{ bit: 1 << at, ...plain }] : [];
    });
    [this.leastCalls, this.mostCalls] = within(this.bounds, 'llmCalls');
    [this.leastTokens, this.mostTokens] = within(this.bounds, 'llmTokens');
    [this.leastSteps, this.mostSteps] = within(this.bounds, 'nodeExecutions');
  }

  /** Failed checks of the trial just walked, as bits. */
  failed(): number {
    const { table, called, paths } = this;
    const { last, llmCalls, tokens, steps } = table;
    const known = last < this.endings.length ? (this.endings[last] as number) : 0;
    let failed = known !== 0 ? known - 1 : this.askAtEnd(last);
    const isWithin =
      llmCalls >= this.leastCalls &&
      llmCalls <= this.mostCalls &&
      tokens >= this.leastTokens &&
      tokens <= this.mostTokens &&
      steps >= this.leastSteps &&
      steps <= this.mostSteps;
    if (!isWithin) failed |= this.beyondBounds();
    for (let i = 0; i < paths.length; i++) {
      const { bit, isExact, positions } = paths[i] as (typeof paths)[number];
      if ((isExact && steps !== positions.length) || !table.begins(positions)) failed |= bit;
    }
    for (let i = 0; i < called.length; i++) {
      const at = called[i] as number;
      if (!(this.checks[at] as Check).holds(this.view)) failed |= 1 << at;
    }
    return failed;
  }

  private beyondBounds(): number {
    const { llmCalls, tokens, steps } = this.table;
    let failed = 0;
    for (const { bit, counter, least, most } of this.bounds) {
      const value = counter === 'llmCalls' ? llmCalls : counter === 'llmTokens' ? tokens : steps;
      if (value < least || value > most) failed |= bit;
    }
    return failed;
  }

  private askAtEnd(last: number): number {
    let failed = 0;
    for (const at of this.atEnd) if (!(this.checks[at] as Check).holds(this.view)) failed |= 1 << at;
    if (last >= this.endings.length) {
      const grown = new Int32Array(Math.max(last + 1, this.endings.length * 2));
      grown.set(this.endings);
      this.endings = grown;
    }
    this.endings[last] = failed + 1;
    return failed;
  }
}

interface Bound {
  readonly bit: number;
  readonly counter: CounterName;
  readonly least: number;
  readonly most: number;
}

/** The narrowest bounds on a counter. */
function within(bounds: readonly Bound[], counter: CounterName): readonly [number, number] {
  const own = bounds.filter((bound) => bound.counter === counter);
  return [Math.max(...own.map(({ least }) => least)), Math.min(...own.map(({ most }) => most))];
}

function kindOf({ onEnding, plain }: Check): 'ending' | 'path' | 'bound' | 'called' {
  if (onEnding) return 'ending';
  if (plain?.kind === 'path') return 'path';
  if (plain === null) return 'called';
  if (BY_ENDING.has(plain.counter)) return 'ending';
  return COUNTED.includes(plain.counter) ? 'bound' : 'called';
}
