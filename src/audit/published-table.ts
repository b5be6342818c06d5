import type { SourceFile } from '../source/source-file.ts';
import type { Range } from '../source/place-tree.ts';
import type { Issue } from '../types/issue.ts';
import type { PrintedRate } from './printed-rate.ts';

/** One file with a table. */
export interface PublishedTable {
  readonly source: SourceFile;
  /** The benchmark that publishes such files; null: rows of any origin. */
  readonly benchmark: 'tau2' | null;
  /** The highest k that the table has a place for. */
  readonly columns: number;
  readonly rows: readonly PublishedRow[];
}

/** One row as it stands in its file. */
export interface PublishedRow {
  /** Where the row stands. */
  readonly range: Range;
  readonly name: string;
  readonly domain: string;
  /** Null: the row does not say. */
  readonly tasks: Placed<number> | null;
  readonly trials: Placed<number> | null;
  /** By k; only what the row has. */
  readonly values: ReadonlyMap<number, PrintedValue>;
}

export interface Placed<Value> {
  readonly value: Value;
  readonly range: Range;
}

export interface PrintedValue {
  /** As printed. */
  readonly text: string;
  readonly rate: PrintedRate;
  readonly range: Range;
}

/** What reading one file gave; `no_table`: nothing in it is a table, which `issues` say. */
export type TableResult =
  | { readonly ok: true; readonly table: PublishedTable }
  | { readonly ok: false; readonly reason: 'no_table' | 'problems'; readonly issues: readonly Issue[] };
