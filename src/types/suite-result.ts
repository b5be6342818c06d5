import type { ContractReport } from './contract-report.ts';
import type { JsonObject } from './json.ts';
import type { ModelReport } from './model-suite.ts';
import type { Count } from './numbers.ts';
import type { ResultBase } from './suite-base.ts';
import type { TrialCounts } from './suite-summary.ts';

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

/** What a definition gave. */
export type SuiteResult = ContractReport | ModelReport | PluginReport;
