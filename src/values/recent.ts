/** The last few of what was made, for whoever is likely to want one of them again. */
export class Recent<T> {
  private readonly most: number;
  private readonly kept: T[] = [];
  private last = -1;

  constructor(most: number) {
    this.most = most;
  }

  /** The latest that fits; undefined: none does. */
  find(fits: (one: T) => boolean): T | undefined {
    const { kept } = this;
    for (let back = 0; back < kept.length; back++) {
      const one = kept[(this.last - back + kept.length) % kept.length] as T;
      if (fits(one)) return one;
    }
    return undefined;
  }

  /** Keeps one more, in place of the oldest where there is no room. */
  keep(one: T): T {
    this.last = (this.last + 1) % this.most;
    this.kept[this.last] = one;
    return one;
  }
}
