import type { LoadOptions } from '../scenario/load-scenario.ts';
import type { SuitePart } from '../settings/suite-part.ts';
import type { SourceFile } from '../source/source-file.ts';
import type { SourceDocument } from '../source/toml-document.ts';
import type { LoadedDocument, SuiteKind } from '../suites/suite-kind.ts';

/** What one file gave: rows of the suite, and what they are run for. */
export interface LoadedFile extends LoadedDocument {
  /** As it is shown. */
  readonly file: string;
  /** Null: it holds no scenario that stands for itself, or could not be read. */
  readonly source: SourceFile | null;
  /** Of what is not parsed again from its text; absent: it is, or nobody looks into it. */
  readonly document?: SourceDocument;
}

export interface LoadFileOptions extends LoadOptions {
  /** Files of other kinds are passed over; null: all are loaded. */
  readonly only: SuitePart | null;
  readonly kinds: readonly SuiteKind[];
}
