import { visibleText } from '../../policy/visible-text.ts';

const KEPT_BYTES = 8192;
const LINES = 5;
const LINE_LENGTH = 200;

/** The end of what a process wrote, for messages: at most 5 lines of 200 characters. */
export class TextTail {
  #bytes = Buffer.alloc(0);

  add(chunk: Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, chunk]).subarray(-KEPT_BYTES);
  }

  /** Empty when nothing was written. */
  text(scrub: (text: string) => string): string {
    const lines = scrub(this.#bytes.toString('utf8'))
      .split(/\r?\n/)
      .filter((line) => line.trim() !== '');
    return lines
      .slice(-LINES)
      .map((line) => visibleText(line.slice(0, LINE_LENGTH)))
      .join(' | ');
  }
}
