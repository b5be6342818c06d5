import { visibleText } from '../../text/visible-text.ts';

/** Bytes of which lines are shown, and as many before them: a secret that the first cut halved stands there. */
const SHOWN_BYTES = 8192;
const KEPT_BYTES = 2 * SHOWN_BYTES;
const LINES = 8;
const LINE_LENGTH = 200;
/** Of a JavaScript stack: what went wrong stands above it, and would be pushed out. */
const FRAME = /^\s+at \S/;

/** What went wrong, in the words of most languages. */
const ERROR = /^(?:Uncaught )?(?:[\w.]*(?:Error|Exception)\b.*:|panic:|fatal:|error:)/;

/**
 * The end of what a process wrote, for messages: at most 8 lines of 200 characters, frames of a stack left out. Where the error
 * stands further above, its line is the first of them.
 */
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
    const last = lines.slice(-LINES);
    const error = last.some((line) => ERROR.test(line)) ? undefined : lines.findLast((line) => ERROR.test(line));
    return (error === undefined ? last : [error, ...last.slice(1)])
      .map((line) => visibleText(line.slice(0, LINE_LENGTH)))
      .join(' | ');
  }
}
