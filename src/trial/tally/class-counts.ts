/** Classes that one tally tells apart; the smallest keys win, so that merging in any order keeps the same ones. */
export const MAX_CLASSES = 64;

const NO_CLASSES: ReadonlyMap<string, ClassCount> = new Map();

export interface ClassCount {
  count: number;
  lowestTrial: number;
}

/** Counts of trials by a key that they share. Merging is addition and bounded union. */
export class ClassCounts {
  private classes: Map<string, ClassCount> | null = null;

  get entries(): ReadonlyMap<string, ClassCount> {
    return this.classes ?? NO_CLASSES;
  }

  /** Keeps a class as it is, in place of what was counted of it. */
  set(key: string, found: ClassCount): void {
    // Scenarios whose trials all pass need no map.
    this.classes ??= new Map();
    this.classes.set(key, found);
  }

  add(key: string, count: number, lowestTrial: number): void {
    const entry = this.classes?.get(key);
    if (entry !== undefined) {
      entry.count += count;
      if (lowestTrial < entry.lowestTrial) entry.lowestTrial = lowestTrial;
      return;
    }
    this.set(key, { count, lowestTrial });
    if (this.entries.size <= MAX_CLASSES) return;
    // The largest key goes: whoever sees it again has at least as many smaller keys, so no order brings it back.
    let largest = key;
    for (const candidate of this.entries.keys()) if (candidate > largest) largest = candidate;
    this.classes?.delete(largest);
  }

  merge(other: ClassCounts): void {
    for (const [key, { count, lowestTrial }] of other.entries) this.add(key, count, lowestTrial);
  }

  clear(): void {
    this.classes?.clear();
  }
}

/** Longest cause that trials are told apart by. */
export const LONGEST_CLASS = 300;

/** A cause that is no longer. Half a character would be another one once it has been encoded. */
export function shortCause(cause: string): string {
  return cause.length <= LONGEST_CLASS ? cause : cause.slice(0, LONGEST_CLASS).replace(/[\ud800-\udbff]$/, '');
}
