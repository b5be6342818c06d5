import { visibleText } from '../../text/visible-text.ts';

/** Bytes of which lines are shown, and as many before them: a secret that the first cut halved stands there. */
const SHOWN_BYTES = 8192;
const KEPT_BYTES = 2 * SHOWN_BYTES;
const LINES = 8;
const LINE_LENGTH = 200;
/** Of a JavaScript stack: what went wrong stands above it, and would be pushed out. */
const FRAME = /^\s+at \S/;

/** The end of what a process wrote, for messages: at most 8 lines of 200 characters, frames of a stack left out. */
export class TextTail {
  #bytes = Buffer.alloc(0);

  add(chunk: Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, chunk]).subarray(-KEPT_BYTES);
  }

  /** Empty when nothing was written. */
  text(scrub: (text: string) => string): string {
    const lines = scrub(this.#bytes.toString('utf8'))
      .slice(-SHOWN_BYTES)
      .split(/\r?\n/)
      .filter((line) => line.trim() !== '' && !FRAME.test(line));
    return lines
      .slice(-LINES)
      .map((line) => visibleText(line.slice(0, LINE_LENGTH)))
      .join(' | ');
  }
}
