import { type OpenSource, openSource } from '../../effects/recorded-sources.ts';
import { type RunPlace, RunPlaces, RunPlacesReader } from '../../importers/run-places.ts';
import type { RunPiece, RunSet } from '../../plugin/importer-type.ts';
import { jsonText } from '../../values/json-text.ts';
import type { FoundSet } from './found-set.ts';

/** A run whose name another one of its set has. */
interface DoubleRun {
  readonly name: string;
  /** Position of the run that was there before. */
  readonly earlier: number;
  readonly pieces: readonly RunPiece[];
}

/** The runs of one source in one set: those of a name that is there already are put aside. */
export class NewRuns implements RunSet {
  readonly places = new RunPlaces();
  readonly doubles: DoubleRun[] = [];
  readonly constantTasks = new Set<string>();
  private readonly set: FoundSet;

  constructor(set: FoundSet) {
    this.set = set;
  }

  add(...pieces: readonly RunPiece[]): void {
    this.places.add(...pieces);
  }

  addCounted(trials: Parameters<RunSet['addCounted']>[0]): void {
    this.places.addCounted(trials);
  }

  constant(task: string): void {
    this.constantTasks.add(task);
  }

  addNamed(name: string, ...pieces: readonly RunPiece[]): void {
    const { places, names } = this.set;
    const earlier = names.runOf(name, places.runs + this.places.runs);
    if (earlier === null) this.places.add(...pieces);
    else this.doubles.push({ name, earlier, pieces });
  }
}

/** Where a run stands, for people. */
export interface RunLine {
  /** Absolute. */
  readonly file: string;
  readonly line: number;
  readonly byte: number;
}

/** Runs of one name: how many are there twice, and the first of them with the one before. */
export interface DoubleRuns {
  readonly count: number;
  readonly name: string;
  readonly first: RunLine;
  readonly again: RunLine;
  /** True: the bytes differ, so that one of both is wrong. */
  readonly differs: boolean;
}

/**
 * What was put aside of a source that is the last one of its set, whose files come behind so many. Null: nothing. Two runs that
 * differ go before all that are the same. Yields now and then.
 */
export function* doubleRuns(
  set: FoundSet,
  { doubles }: NewRuns,
  filesBefore: number,
): Generator<void, DoubleRuns | null> {
  if (doubles.length === 0) return null;
  const reader = new RunPlacesReader(set.places.encode());
  const files = new FilesOfSet(set);
  try {
    let shown: Omit<DoubleRuns, 'count'> | null = null;
    for (const { name, earlier, pieces } of doubles) {
      const again = pieces.map((piece) => ({ ...piece, file: piece.file + filesBefore }));
      const first = reader.at(earlier).pieces;
      const differs = files.textOf(first) !== files.textOf(again);
      yield;
      if (!differs && shown !== null) continue;
      shown = { name, first: files.lineOf(first), again: files.lineOf(again), differs };
      if (differs) break;
    }
    return shown === null ? null : { ...shown, count: doubles.length };
  } finally {
    files.close();
  }
}

/** The files of a set, of which one is open at a time. */
class FilesOfSet {
  private readonly set: FoundSet;
  private open: { readonly file: number; readonly source: OpenSource } | null = null;

  constructor(set: FoundSet) {
    this.set = set;
  }

  /** What stands there, and what it is read with, such as the names of its columns. */
  textOf(pieces: RunPlace['pieces']): string {
    return pieces
      .map(({ file, from, to }) => {
        const text = Buffer.from(this.opened(file).read(0, from, to))
          .toString('latin1')
          .trim();
        return `${jsonText(this.sourceOf(file)?.shared ?? {})}\n${text}`;
      })
      .join('\n');
  }

  lineOf([piece = { file: 0, from: 0, to: 0 }]: RunPlace['pieces']): RunLine {
    const { file, from } = piece;
    const source = this.opened(file);
    let line = 1;
    for (let base = 0; base < from; base += CHUNK) {
      const chunk = source.read(0, base, Math.min(from, base + CHUNK));
      for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) line++;
    }
    return { file: this.set.paths[file] ?? '', line, byte: from };
  }

  close(): void {
    this.open?.source.close();
    this.open = null;
  }

  private opened(file: number): OpenSource {
    if (this.open?.file === file) return this.open.source;
    this.close();
    const source = openSource(this.set.paths[file] ?? '');
    this.open = { file, source };
    return source;
  }

  private sourceOf(file: number): FoundSet['sources'][number] | undefined {
    return this.set.sources.flatMap((source) => source.files.map(() => source))[file];
  }
}

const NEWLINE = 0x0a;
const CHUNK = 1024 * 1024;
