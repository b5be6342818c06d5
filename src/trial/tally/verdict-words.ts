/** Verdicts remembered one by one, for paired comparisons. */
export const MAX_VERDICT_BITS = 1 << 20;

const NO_WORDS = new Uint32Array(0);

/** One bit for each trial below `MAX_VERDICT_BITS`, set when it passed. Merging is union. */
export class VerdictWords {
  /** The only word, and its bits; they count only while there is no row of words. */
  private onlyWord = 0;
  private onlyBits = 0;
  private row: Uint32Array<ArrayBuffer> | null = null;

  /** All words from the first on; the row grows as needed. */
  get words(): Uint32Array<ArrayBuffer> {
    if (this.row === null) {
      this.row = NO_WORDS;
      this.add(this.onlyWord, this.onlyBits);
    }
    return this.row;
  }

  set words(words: Uint32Array<ArrayBuffer>) {
    this.row = words;
  }

  /** Remembers a passing trial. */
  note(trial: number): void {
    if (trial < MAX_VERDICT_BITS) this.add(trial >>> 5, 1 << (trial & 31));
  }

  merge({ row, onlyWord, onlyBits }: VerdictWords): void {
    if (row === null) this.add(onlyWord, onlyBits);
    // Long runs merge 32,768 words with each delta: entries() would make an array for each of them.
    else for (let word = 0; word < row.length; word++) this.add(word, row[word] as number);
  }

  /** Adds the bits of one word. A few neighbouring trials have a single one, which needs no row, however high they are. */
  private add(word: number, bits: number): void {
    if (bits === 0) return;
    if (this.row === null && (this.onlyBits === 0 || word === this.onlyWord)) {
      this.onlyWord = word;
      this.onlyBits |= bits;
      return;
    }
    let { words } = this;
    if (word >= words.length) words = this.grow(word + 1);
    words[word] = (words[word] as number) | bits;
  }

  private grow(words: number): Uint32Array<ArrayBuffer> {
    const size = Math.min(MAX_VERDICT_BITS / 32, Math.max(words, this.words.length * 2));
    const grown = new Uint32Array(size);
    grown.set(this.words);
    this.row = grown;
    return grown;
  }
}
