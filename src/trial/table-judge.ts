import type { Check } from '../checks/check.ts';
import type { TableTrial } from '../engine/table/table-trial.ts';
import type { CounterName } from '../types/trial.ts';
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
  /** The path check's bit, if there is one; 0: there is none. */
  private readonly pathBit: number;
  private readonly isExact: boolean;
  private readonly bounds: readonly Bound[];
  /**
   * All bounds on one counter together: what lies in there meets each of them. Least and most calls, then steps, as
   * integers; of tokens, which may be more, in an array of their own: a field would be an object to look into.
   */
  private readonly counts: Int32Array;
  private readonly tokens: Float64Array;

  constructor(checks: readonly Check[], view: TableView, table: TableTrial) {
    this.checks = checks;
    this.view = view;
    this.table = table;
    const kinds = checks.map(kindOf);
    const ofKind = (wanted: string): readonly number[] => kinds.flatMap((kind, at) => (kind === wanted ? [at] : []));
    this.atEnd = ofKind('ending');
    const [path = -1, ...otherPaths] = ofKind('path');
    this.called = Int32Array.from([...ofKind('called'), ...otherPaths]);
    const plain = checks[path]?.plain;
    this.pathBit = plain?.kind === 'path' ? 1 << path : 0;
    if (plain?.kind === 'path') table.expectPath(plain.positions);
    this.isExact = plain?.kind === 'path' && plain.isExact;
    this.bounds = ofKind('bound').flatMap((at) => {
      const plain = checks[at]?.plain;
      return plain?.kind === 'bound' ? [{ bit: 1 << at, ...plain }] : [];
    });
    const limits = [within(this.bounds, 'llmCalls'), within(this.bounds, 'nodeExecutions')];
    this.counts = Int32Array.from(
      limits.flatMap(([least, most]) => [toInt(Math.ceil(least)), toInt(Math.floor(most))]),
    );
    this.tokens = Float64Array.from(within(this.bounds, 'llmTokens'));
  }

  /** True: some check looks at the values of each trial. */
  get asksEachTrial(): boolean {
    return this.called.length > 0;
  }

  /** Failed checks of the trial just walked, as bits. */
  failed(): number {
    const { table, called, counts, tokens: limits } = this;
    const { last, llmCalls, tokens, steps } = table;
    const isWithin =
      llmCalls >= (counts[0] as number) &&
      llmCalls <= (counts[1] as number) &&
      steps >= (counts[2] as number) &&
      steps <= (counts[3] as number) &&
      tokens >= (limits[0] as number) &&
      tokens <= (limits[1] as number);
    let failed = isWithin ? 0 : this.beyondBounds();
    if (this.pathBit !== 0 && !table.begins(this.isExact)) failed |= this.pathBit;
    // Whoever is called comes last: what was known of tables before has to be looked up again after that.
    const hit = last < this.endings.length ? (this.endings[last] as number) : 0;
    failed |= hit !== 0 ? hit - 1 : this.askAtEnd(last);
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
  const counterBounds = bounds.filter((bound) => bound.counter === counter);
  return [Math.max(...counterBounds.map(({ least }) => least)), Math.min(...counterBounds.map(({ most }) => most))];
}

/** Beyond what any trial counts, one bound is as good as another. */
function toInt(bound: number): number {
  return Math.max(-(2 ** 30), Math.min(2 ** 30, bound));
}

function kindOf({ onEnding, plain }: Check): 'ending' | 'path' | 'bound' | 'called' {
  if (onEnding) return 'ending';
  if (plain?.kind === 'path') return 'path';
  if (plain === null) return 'called';
  if (BY_ENDING.has(plain.counter)) return 'ending';
  return COUNTED.includes(plain.counter) ? 'bound' : 'called';
}
