import type { CountedTrial, CountedTrials, RunPiece } from '../plugin/importer-type.ts';
import { TRIAL_OUTCOMES } from '../values/passk-attributes.ts';

/** The places that a run is read from. */
export interface RunPlace {
  readonly pieces: readonly RunPiece[];
  /** The trial that is only counted; null: the source has the run itself. */
  readonly counted: CountedTrial | null;
}

/**
 * The places of the pieces of many runs as one text, a few bytes a run. All values are variable-length integers of seven bits
 * a byte, signed ones by zigzag, in Base64. A run begins with twice the number of its pieces, plus 1 where it is only counted.
 * A counted run goes on with three times the position of its task plus the position of its outcome. Then comes each piece: its
 * file minus the file before, its begin (minus the end of the piece before, where the file is the same), and its length.
 */
export class RunPlaces {
  runs = 0;
  /** Of all pieces. */
  pieceBytes = 0;
  private bytes = new Uint8Array(1024);
  private length = 0;
  private file = 0;
  private end = 0;

  add(...pieces: readonly RunPiece[]): void {
    this.addPlace({ pieces, counted: null });
  }

  addCounted({ count, pieces, ...counted }: CountedTrials): void {
    for (let left = count; left > 0; left--) this.addPlace({ pieces, counted });
  }

  addPlace({ pieces, counted }: RunPlace): void {
    this.runs++;
    this.write(2 * pieces.length + (counted === null ? 0 : 1));
    if (counted !== null) this.write(counted.position * OUTCOMES + TRIAL_OUTCOMES.indexOf(counted.outcome));
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
      const { pieces, counted } = reader.at(run);
      this.addPlace({ pieces: pieces.map((piece) => ({ ...piece, file: piece.file + files })), counted });
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

const OUTCOMES = TRIAL_OUTCOMES.length;

/** Reads what `RunPlaces` wrote, any run. */
export class RunPlacesReader {
  private readonly bytes: Uint8Array;
  private offset = 0;
  private file = 0;
  private end = 0;
  /** Where each 256th run begins, so that any run is found by reading at most 255 others. */
  private readonly marks: { readonly offset: number; readonly file: number; readonly end: number }[] = [];
  private run = 0;

  constructor(encoded: string) {
    this.bytes = Buffer.from(encoded, 'base64');
  }

  at(run: number): RunPlace {
    if (run < this.run) {
      const near = Math.floor(run / EACH);
      const mark = this.marks[near];
      if (mark === undefined) throw new RangeError(`There is no run ${run}.`);
      this.offset = mark.offset;
      this.file = mark.file;
      this.end = mark.end;
      this.run = near * EACH;
    }
    while (this.run < run) this.next();
    return this.next();
  }

  private next(): RunPlace {
    if (this.run % EACH === 0) this.marks[this.run / EACH] = { offset: this.offset, file: this.file, end: this.end };
    this.run++;
    const head = this.read();
    const counted = head % 2 === 0 ? null : this.readCounted();
    const pieces: RunPiece[] = [];
    for (let left = Math.floor(head / 2); left > 0; left--) {
      const step = this.readSigned();
      if (step !== 0) this.end = 0;
      this.file += step;
      const from = this.end + this.readSigned();
      this.end = from + this.read();
      pieces.push({ file: this.file, from, to: this.end });
    }
    return { pieces, counted };
  }

  private readCounted(): CountedTrial {
    const value = this.read();
    const outcome = TRIAL_OUTCOMES[value % OUTCOMES] ?? 'broken';
    return { outcome, position: Math.floor(value / OUTCOMES) };
  }

  private readSigned(): number {
    const value = this.read();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  private read(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 0x80) {
      const byte = this.bytes[this.offset++];
      if (byte === undefined) throw new RangeError('There are no more runs.');
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
  }
}

const EACH = 256;
