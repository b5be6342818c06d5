import { StringDecoder } from 'node:string_decoder';

/** Characters of a line; what is longer comes in pieces. */
const LONGEST_LINE = 64 << 10;

/** Cuts what a process prints into lines, the last one included, however long they are. */
export class LineCutter {
  readonly #onLine: (line: string) => void;
  readonly #decoder = new StringDecoder('utf8');
  #rest = '';

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  add(chunk: Buffer): void {
    const lines = (this.#rest + this.#decoder.write(chunk)).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#onLine(line.replace(/\r$/, ''));
    if (this.#rest.length > LONGEST_LINE) this.end();
  }

  /** Nothing follows the rest. */
  end(): void {
    if (this.#rest !== '') this.#onLine(this.#rest);
    this.#rest = '';
  }
}
