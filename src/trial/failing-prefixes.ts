import type { AnswerStep } from '../intelligence/answer-path.ts';
import { CERTAIN, compareDyadic, type Dyadic, shareOf, times } from '../stats/dyadic.ts';

/** Answers after which every trial fails, though not without the last of them. */
export interface FailingPrefix {
  readonly steps: readonly AnswerStep[];
  readonly chance: Dyadic;
  readonly leaves: number;
  /** Positions of checks that fail in some of its leaves, ascending. */
  readonly checks: readonly number[];
  /** Its lowest leaf. */
  readonly leaf: number;
}

/** Failing prefixes that are kept. */
export const MOST_PREFIXES = 20;

/** A part of the tree: all trials that begin with the path's first choices. */
interface Open {
  /** Every leaf so far failed. */
  allFailed: boolean;
  leaves: number;
  readonly leaf: number;
  readonly checks: Set<number>;
  /** Failing parts below, kept back while this one may fail as a whole. */
  held: FailingPrefix[];
}

/** Finds the minimal failing prefixes while leaves come in depth-first order. */
export class FailingPrefixes {
  /** Likeliest first; of equally likely ones the shorter, then the earlier. */
  readonly prefixes: FailingPrefix[] = [];
  count = 0;
  /** The parts that the next leaf may still belong to: position i is about the first i choices. */
  private readonly open: Open[] = [];
  private leaves = 0;

  /** A leaf that ends below `length` choices; `failed`: the checks it failed, null when it did not fail. */
  add(length: number, failed: readonly number[] | null): void {
    while (this.open.length <= length) this.open.push(opened(this.leaves));
    this.leaves++;
    for (const part of this.open) {
      part.leaves++;
      for (const check of failed ?? []) part.checks.add(check);
      if (failed !== null || !part.allFailed) continue;
      part.allFailed = false;
      // What was held back is minimal after all.
      for (const prefix of part.held) this.keep(prefix);
      part.held = [];
    }
  }

  /**
   * The first `depth` choices stay as they are, all further parts are complete; −1: the whole tree is. `steps` still are
   * those of the last leaf.
   */
  close(depth: number, steps: readonly AnswerStep[]): void {
    while (this.open.length > depth + 1) {
      const part = this.open.pop() as Open;
      const length = this.open.length;
      if (!part.allFailed) continue;
      const prefix = prefixOf(part, steps.slice(0, length));
      const parent = this.open[length - 1];
      if (parent?.allFailed === true) parent.held.push(prefix);
      else this.keep(prefix);
    }
  }

  private keep(prefix: FailingPrefix): void {
    this.count++;
    const { prefixes } = this;
    let at = prefixes.length;
    while (at > 0 && isBefore(prefix, prefixes[at - 1] as FailingPrefix)) at--;
    if (at >= MOST_PREFIXES) return;
    prefixes.splice(at, 0, prefix);
    if (prefixes.length > MOST_PREFIXES) prefixes.pop();
  }
}

function opened(leaf: number): Open {
  return { allFailed: true, leaves: 0, leaf, checks: new Set(), held: [] };
}

function prefixOf(part: Open, steps: readonly AnswerStep[]): FailingPrefix {
  const chance = steps.reduce((product, { width }) => times(product, shareOf(width)), CERTAIN);
  const checks = [...part.checks].sort((a, b) => a - b);
  return { steps, chance, leaves: part.leaves, checks, leaf: part.leaf };
}

function isBefore(a: FailingPrefix, b: FailingPrefix): boolean {
  const order = compareDyadic(b.chance, a.chance) || a.steps.length - b.steps.length || a.leaf - b.leaf;
  return order < 0;
}
