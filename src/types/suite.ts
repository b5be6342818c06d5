import type { Contract, ContractPart } from './contract.ts';
import type { ContractReport } from './contract-report.ts';
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
}

/** What a scenario carries that is run for a definition, so that the fold knows what it stands for. */
export interface PartBase {
  /** The kind of suite. */
  readonly kind: string;
  /** Name of the definition. */
  readonly of: string;
}

/** What every result says of its definition, whatever its kind. */
export interface ResultBase {
  /** The kind of suite. */
  readonly kind: string;
  readonly name: string;
  readonly file: string;
  readonly description: string | null;
  /** `insufficient`: what was run does not tell. */
  readonly verdict: 'passed' | 'failed' | 'insufficient';
  /** Why, one sentence each; []: passed. */
  readonly reasons: readonly string[];
}

/** What a file of any of passk's own kinds holds. */
export type SuiteDefinition = Contract;

/** What a scenario is run for, of any of passk's own kinds. */
export type DefinitionPart = ContractPart;

/** What a definition of any of passk's own kinds gave. */
export type SuiteResult = ContractReport;
