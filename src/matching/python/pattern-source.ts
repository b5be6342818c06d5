import { PatternProblem } from './tree.ts';

/** The characters of a pattern, read from left to right. */
export class PatternSource {
  private readonly characters: readonly string[];
  private at = 0;

  constructor(pattern: string) {
    this.characters = Array.from(pattern);
  }

  /** The next character; `''` at the end. */
  peek(ahead = 0): string {
    return this.characters[this.at + ahead] ?? '';
  }

  take(): string {
    const character = this.peek();
    this.at++;
    return character;
  }

  /** Takes this text when it comes next. */
  skip(text: string): boolean {
    const length = text.length;
    if (this.characters.slice(this.at, this.at + length).join('') !== text) return false;
    this.at += length;
    return true;
  }

  /** All characters up to `end`, which is taken too. */
  until(end: string, what: string): string {
    const found = this.characters.indexOf(end, this.at);
    if (found < 0) throw new PatternProblem(`${what} does not end with "${end}"`);
    const text = this.characters.slice(this.at, found).join('');
    this.at = found + 1;
    return text;
  }

  /** As many characters as fit, `most` at the most. */
  run(fits: RegExp, most: number): string {
    let text = '';
    while (text.length < most && this.peek() !== '' && fits.test(this.peek())) text += this.take();
    return text;
  }
}
