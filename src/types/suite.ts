import type { Contract, ContractPart } from './contract.ts';
import type { ContractReport } from './contract-report.ts';
import type { CellNames } from './gate.ts';
import type { JsonObject } from './json.ts';
import type { ModelPrice } from './model-endpoint.ts';
import type { ModelPart, ModelReport, ModelSuite } from './model-suite.ts';
import type { Count } from './numbers.ts';
import type { TrialCounts } from './suite-summary.ts';

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
  readonly name: string;
  readonly file: string;
  readonly description: string | null;
  /** `insufficient`: what was run does not tell. `skipped`: nothing of it was run, for the reasons given, and it does not count. */
  readonly verdict: 'passed' | 'failed' | 'insufficient' | 'skipped';
  /** Why, one sentence each; []: passed. */
  readonly reasons: readonly string[];
}

/** What a file holds that a plug-in of kind `suite` loads. */
export interface PluginDefinition extends DefinitionBase {
  readonly kind: 'plugin';
  /** The word of the plug-in. */
  readonly type: string;
  readonly description?: string;
  /** What the plug-in carries to its fold. */
  readonly data: JsonObject;
}

/** The case that a scenario is. */
export interface PluginPart extends PartBase {
  readonly kind: 'plugin';
  /** The word of the plug-in. */
  readonly type: string;
  /** Within the file. */
  readonly case: string;
}

/** What the cases of a file gave together, as the plug-in says that loaded it. */
export interface PluginReport extends ResultBase {
  readonly kind: 'plugin';
  /** The word of the plug-in. */
  readonly type: string;
  readonly cases: readonly PluginCase[];
  /** Whatever the plug-in has to say. */
  readonly data: JsonObject;
}

/** One case, in the order of its file. */
export interface PluginCase {
  readonly name: string;
  readonly trials: TrialCounts;
  /** Trials that failed each invariant, most frequent first. */
  readonly checks: readonly { readonly check: string; readonly failed: Count }[];
  /** Of the lowest failing or broken trial: what was wrong; null: none was, or nothing is known of it. */
  readonly message: string | null;
  /** The command that repeats that trial; null: none does. */
  readonly replay: string | null;
}

/** What a file of any kind holds that is run as several scenarios. */
export type SuiteDefinition = Contract | ModelSuite | PluginDefinition;

/** What a scenario is run for. */
export type DefinitionPart = ContractPart | ModelPart | PluginPart;

/** What a definition gave. */
export type SuiteResult = ContractReport | ModelReport | PluginReport;
