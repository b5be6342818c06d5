import type { RunPiece } from '../../plugin/importer-type.ts';

/** Where the records of many traces stand, in whatever order they come: some 40 bytes a record, besides names. */
export class TracePlaces {
  private readonly traceByName = new Map<string, number>();
  /** Of each trace: its first and last record, and the set that it belongs to. */
  private readonly firsts: number[] = [];
  private readonly lasts: number[] = [];
  private readonly sets: (string | null)[] = [];
  private count = 0;
  private files = new Uint32Array(1024);
  private froms = new Float64Array(1024);
  private tos = new Float64Array(1024);
  /** The next record of the same trace; 0: there is none, because the first record of all follows no other. */
  private nexts = new Uint32Array(1024);

  add(trace: string, { file, from, to }: RunPiece): void {
    if (this.count === this.nexts.length) this.grow();
    const record = this.count++;
    this.files[record] = file;
    this.froms[record] = from;
    this.tos[record] = to;
    const known = this.traceByName.get(trace);
    if (known === undefined) {
      this.traceByName.set(trace, this.firsts.length);
      this.firsts.push(record);
      this.lasts.push(record);
      this.sets.push(null);
      return;
    }
    this.nexts[this.lasts[known] ?? 0] = record;
    this.lasts[known] = record;
  }

  /** Names the set of a trace that was added; the first name stands, unless a later one is `certain`. */
  name(trace: string, set: string, certain: boolean): void {
    const known = this.traceByName.get(trace);
    if (known !== undefined && (certain || this.sets[known] === null)) this.sets[known] = set;
  }

  /** The places of each trace in the order of their first records, with its set; null: none is named. */
  *traces(): Iterable<{ readonly set: string | null; readonly pieces: readonly RunPiece[] }> {
    for (const [trace, first] of this.firsts.entries()) {
      const pieces: RunPiece[] = [];
      let record = first;
      do {
        pieces.push({ file: this.files[record] ?? 0, from: this.froms[record] ?? 0, to: this.tos[record] ?? 0 });
        record = this.nexts[record] ?? 0;
      } while (record !== 0);
      yield { set: this.sets[trace] ?? null, pieces };
    }
  }

  private grow(): void {
    const room = this.count * 2;
    const [files, froms, tos, nexts] = [this.files, this.froms, this.tos, this.nexts];
    this.files = new Uint32Array(room);
    this.froms = new Float64Array(room);
    this.tos = new Float64Array(room);
    this.nexts = new Uint32Array(room);
    this.files.set(files);
    this.froms.set(froms);
    this.tos.set(tos);
    this.nexts.set(nexts);
  }
}
