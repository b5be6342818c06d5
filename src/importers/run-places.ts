import type { RunPiece } from '../plugin/importer-type.ts';

/**
 * Where the pieces of many runs stand, as one text: a few bytes a run. For each run the number of its pieces, for each piece
 * its file as the difference to the file before, its begin as the difference to the end of the piece before where the file is
 * the same, and its length; all as variable-length integers of seven bits a byte, signed ones by zigzag, in Base64.
 */
export class RunPlaces {
  runs = 0;
  /** Of all pieces. */
  pieceBytes = 0;
  private bytes = new Uint8Array(1024);
  private length = 0;
  private file = 0;
  private end = 0;

  add(pieces: readonly RunPiece[]): void {
    this.runs++;
    this.write(pieces.length);
    for (const { file, from, to } of pieces) {
      this.writeSigned(file - this.file);
      if (file !== this.file) this.end = 0;
      this.writeSigned(from - this.end);
      this.write(to - from);
      this.file = file;
      this.end = to;
      this.pieceBytes += to - from;
    }
  }

  /** All runs of another source, whose files come behind so many. */
  append(other: RunPlaces, files: number): void {
    const reader = new RunPlacesReader(other.encode());
    for (let run = 0; run < other.runs; run++) {
      this.add(reader.piecesOf(run).map((piece) => ({ ...piece, file: piece.file + files })));
    }
  }

  encode(): string {
    return Buffer.from(this.bytes.buffer, 0, this.length).toString('base64');
  }

  private writeSigned(value: number): void {
    this.write(value < 0 ? -2 * value - 1 : 2 * value);
  }

  private write(value: number): void {
    if (this.length + 8 > this.bytes.length) {
      const grown = new Uint8Array(this.bytes.length * 2);
      grown.set(this.bytes);
      this.bytes = grown;
    }
    let left = value;
    while (left >= 0x80) {
      this.bytes[this.length++] = (left % 0x80) | 0x80;
      left = Math.floor(left / 0x80);
    }
    this.bytes[this.length++] = left;
  }
}

/** Reads what `RunPlaces` wrote: the pieces of any run. */
export class RunPlacesReader {
  private readonly bytes: Uint8Array;
  private at = 0;
  private file = 0;
  private end = 0;
  /** Where each 256th run begins, so that any run is found by reading at most 255 others. */
  private readonly marks: { readonly at: number; readonly file: number; readonly end: number }[] = [];
  private run = 0;

  constructor(encoded: string) {
    this.bytes = Buffer.from(encoded, 'base64');
  }

  piecesOf(run: number): readonly RunPiece[] {
    if (run < this.run) {
      const near = Math.floor(run / EACH);
      const mark = this.marks[near];
      if (mark === undefined) throw new RangeError(`There is no run ${run}.`);
      this.at = mark.at;
      this.file = mark.file;
      this.end = mark.end;
      this.run = near * EACH;
    }
    while (this.run < run) this.next();
    return this.next();
  }

  private next(): readonly RunPiece[] {
    if (this.run % EACH === 0) this.marks[this.run / EACH] = { at: this.at, file: this.file, end: this.end };
    this.run++;
    const pieces: RunPiece[] = [];
    for (let left = this.read(); left > 0; left--) {
      const step = this.readSigned();
      if (step !== 0) this.end = 0;
      this.file += step;
      const from = this.end + this.readSigned();
      this.end = from + this.read();
      pieces.push({ file: this.file, from, to: this.end });
    }
    return pieces;
  }

  private readSigned(): number {
    const value = this.read();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  private read(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 0x80) {
      const byte = this.bytes[this.at++];
      if (byte === undefined) throw new RangeError('There are no more runs.');
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
  }
}

const EACH = 256;
