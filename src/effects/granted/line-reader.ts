/** Cuts a stream of bytes into lines without reading more than `longest` bytes into memory. */
export class LineReader {
  readonly #longest: number;
  readonly #onLine: (line: string) => void;
  #parts: Buffer[] = [];
  #size = 0;

  constructor(longest: number, onLine: (line: string) => void) {
    this.#longest = longest;
    this.#onLine = onLine;
  }

  /** False: a line is too long; nothing can be read any more. */
  add(chunk: Buffer): boolean {
    let from = 0;
    for (let end = chunk.indexOf(0x0a); end !== -1; end = chunk.indexOf(0x0a, from)) {
      if (!this.#keep(chunk.subarray(from, end))) return false;
      const line = Buffer.concat(this.#parts).toString('utf8');
      this.#parts = [];
      this.#size = 0;
      from = end + 1;
      this.#onLine(line);
    }
    return this.#keep(chunk.subarray(from));
  }

  #keep(part: Buffer): boolean {
    this.#size += part.length;
    if (this.#size > this.#longest) {
      this.#parts = [];
      return false;
    }
    if (part.length > 0) this.#parts.push(part);
    return true;
  }
}
