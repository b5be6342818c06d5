import type { JsonObject } from '../types/json.ts';
import type { CheckType } from './check-type.ts';
import type { FaultType } from './fault-type.ts';
import type { GeneratorType } from './generator-type.ts';
import type { ImporterType } from './importer-type.ts';
import type { NodeType } from './node-type.ts';
import type { ReporterType } from './reporter-type.ts';
import type { RunnerType } from './runner-type.ts';
import type { SimilarityType } from './similarity-type.ts';
import type { SubjectType } from './subject-type.ts';
import type { SuiteType } from './suite-type.ts';
import type { ValidatorType } from './validator-type.ts';

/** A node type and whose code it is. */
export interface RegisteredNode {
  readonly nodeType: NodeType;
  /** Code of the user: called anew on each visit, never on the main thread. */
  readonly user: boolean;
}

/** Everything that can be named in a file, by the word that names it. */
export interface Registry {
  readonly nodes: ReadonlyMap<string, RegisteredNode>;
  readonly faults: ReadonlyMap<string, FaultType>;
  /** Faults that are code of the user. */
  readonly userFaults: ReadonlySet<string>;
  /** Checks that are code of the user. */
  readonly checks: ReadonlyMap<string, CheckType>;
  /** Ways to compare texts; all but passk's own are code of the user. */
  readonly similarities: ReadonlyMap<string, SimilarityType>;
  /** Subjects that are code of the user. */
  readonly subjects: ReadonlyMap<string, SubjectType>;
  /** Kinds of suite files that are code of the user. */
  readonly suites: ReadonlyMap<string, SuiteType>;
  /** What makes scenarios of a seed and is code of the user; generators of passk are loaded where a file generates. */
  readonly generators: ReadonlyMap<string, GeneratorType>;
  /** Ways of asking models. */
  readonly runners: ReadonlyMap<string, RunnerType>;
  /** Rules for answers of models; all but passk's own are code of the user. */
  readonly validators: ReadonlyMap<string, ValidatorType>;
  /** Formats of other programs' results that are code of the user; those of passk are loaded where recorded runs are read. */
  readonly importers: ReadonlyMap<string, ImporterType>;
}

/** A plug-in as a module exports it; a node or fault with the JSON Schema of its TOML keys, a check with that of its settings. */
export type Plugin = (
  | NodeType
  | FaultType
  | CheckType
  | ReporterType
  | SimilarityType
  | SubjectType
  | SuiteType
  | RunnerType
  | ValidatorType
  | ImporterType
  | GeneratorType
) & {
  /**
   * JSON Schema of the plug-in's own keys as they stand in TOML; absent: any keys, none of them checked. `create` gets them
   * in camelCase either way.
   */
  readonly schema?: JsonObject;
};
