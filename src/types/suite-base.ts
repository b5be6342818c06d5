import type { CellNames } from './reports/gate.ts';
import type { ModelPrice } from './model-endpoint.ts';

/**
 * What every definition says, whatever its kind: what a file holds that is run as several scenarios. Plain data, so that
 * shards carry it and merging needs no files.
 */
export interface DefinitionBase {
  /** The kind of suite. */
  readonly kind: string;
  /** Unique in a run: behind a name that several files use stands the file, in brackets. */
  readonly name: string;
  /** Relative to the suite root, with `/`. */
  readonly file: string;
  /** What tokens cost, in USD per million; absent: the file does not say. */
  readonly price?: Pick<ModelPrice, 'input' | 'output'>;
  /** Cells that it would have if it were run; absent: those of its scenarios are all. */
  readonly unrun?: readonly CellNames[];
}

/** What a scenario carries that is run for a definition, so that the fold knows what it stands for. */
export interface PartBase {
  /** The kind of suite. */
  readonly kind: string;
  /** Name of the definition. */
  readonly of: string;
  /**
   * What gates call it by. It is then a cell of a matrix with a bar of its own, which gates, baselines and histories look at
   * as at a scenario; absent: what it gave says something only with what others gave.
   */
  readonly names?: CellNames;
}

/** What every result says of its definition, whatever its kind. */
export interface ResultBase {
  /** The kind of suite. */
  readonly kind: string;
  /** The name in the file. */
  readonly name: string;
  /** The file, relative to the root of the suite, with `/`. */
  readonly file: string;
  /** What it is for; null: its file does not say. */
  readonly description: string | null;
  /** `insufficient`: what was run does not tell. `skipped`: nothing of it was run, for the reasons given, and it does not count. */
  readonly verdict: 'passed' | 'failed' | 'insufficient' | 'skipped';
  /** Why, one sentence each; []: passed. */
  readonly reasons: readonly string[];
}
