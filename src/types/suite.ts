import type { Contract, ContractPart } from './contract.ts';
import type { GeneratedSet } from './generated/generated-set.ts';
import type { JsonObject } from './json.ts';
import type { ModelPart, ModelSuite } from './model-suite.ts';
import type { DefinitionBase, PartBase } from './suite-base.ts';

/** What a file holds that a plug-in of kind `suite` loads. */
export interface PluginDefinition extends DefinitionBase {
  readonly kind: 'plugin';
  /** The word of the plug-in. */
  readonly type: string;
  /** What it is for. */
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

/** What a file of any kind holds that is run as several scenarios. */
export type SuiteDefinition = Contract | GeneratedSet | ModelSuite | PluginDefinition;

/** What a scenario is run for. */
export type DefinitionPart = ContractPart | ModelPart | PluginPart;
