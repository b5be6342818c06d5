import type { TSchema } from 'typebox';
import type { CheckType } from '../plugin/check-type.ts';
import type { ImporterType } from '../plugin/importer-type.ts';
import type { GeneratorType } from '../plugin/generator-type.ts';
import type { NodeType, OutsideCall } from '../plugin/node-type.ts';
import type { Port } from '../plugin/request.ts';
import type { RunnerType } from '../plugin/runner-type.ts';
import type { ValidatorType } from '../plugin/validator-type.ts';
import type { Json, JsonObject } from '../types/json.ts';
import type { Compat } from '../types/model-test.ts';
import type { Policy } from '../types/policy.ts';
import type { McpServer, Workflow } from '../types/workflow.ts';
import type { NodeSchema } from '../workflow/node-schema.ts';

/** `endpoint`: a real model, asked in live runs only; `none`: with what would give it one. */
export type ModelSource = { readonly kind: 'function' | 'endpoint' } | { readonly kind: 'none'; readonly hint: string };

/** How models of spec files are asked; null: as conform.toml says. Durations are seconds, paths start from the working folder. */
export interface ModelTestOptions {
  readonly conform: string | null;
  /** []: all. */
  readonly runtimes: readonly string[];
  readonly runner: string | null;
  readonly runnerUrl: string | null;
  readonly specsDir: string | null;
  readonly pluginsDir: string | null;
  readonly pluginConcurrency: number | null;
  readonly testConcurrency: number | null;
  readonly maxRetries: number | null;
  readonly retryBaseDelay: number | null;
  readonly actionTimeout: number | null;
  readonly compat: Compat;
  /** A file with the names of tests that are known to fail. */
  readonly expectedFailures: string | null;
  /** Such as `2/3`. */
  readonly samples: string | null;
  readonly failOnFlaky: boolean;
}

/** A plug-in that judges, as loading sees it. */
export interface PluginCheck {
  readonly judges: CheckType['judges'];
  /** The JSON Schema of its settings in snake_case; null: any. */
  readonly schema: JsonObject | null;
}

/** Plug-ins that rules and checks may name. */
export interface NamedPlugins {
  /** Ways to compare texts; absent: passk's own only. */
  readonly similarities?: readonly string[] | undefined;
  /** Those that judge, by type; absent: none. */
  readonly checks?: ReadonlyMap<string, PluginCheck> | undefined;
}

/** What loading needs to know of the plug-ins that are registered and of what the user allows. */
export interface RegistryView extends NamedPlugins {
  readonly nodeSchemas: ReadonlyMap<string, NodeSchema>;
  /** The node type that a word names; undefined: there is none. */
  nodeTypeOf(type: string): NodeType | undefined;
  /** What in a policy can never allow anything; absent: nothing. */
  policyProblems?(policy: Policy): readonly string[];
  /** True: the allowlists of these servers refuse that tool, or every resource, where there is no policy; absent: unknown. */
  refusesMcp?(call: OutsideCall & { readonly port: 'mcp' }, servers: readonly McpServer[]): boolean;
  /** Why no request can go to a URL written as in `[world.http]`; null: some can. Absent: unknown. */
  urlProblem?(url: string): string | null;
  /** Registered faults with the JSON Schema of their own keys in snake_case; null: any keys. */
  readonly faultTypes: ReadonlyMap<string, TSchema | null>;
  /** Validators that tests of models may name; absent: none. */
  readonly validators?: ReadonlyMap<string, ValidatorType>;
  /** Formats of recorded runs that plug-ins bring; absent: none. */
  readonly importers?: ReadonlyMap<string, ImporterType>;
  /** Generators that plug-ins bring; absent: none. */
  readonly generators?: ReadonlyMap<string, GeneratorType>;
  /** Modules of plug-ins, as `file:` URLs; absent: none. */
  readonly plugins?: readonly string[];
  /** The ISO week that the user says in place of that of files; absent or null: as files say. */
  readonly week?: string | null;
  /** Ways of asking models; absent: none is known. */
  readonly runners?: ReadonlyMap<string, RunnerType>;
  /** How models of spec files are asked, where the user says so; absent: as files say. */
  readonly modelTests?: ModelTestOptions;
  /** True: what a run needs and is not there is a warning. */
  readonly isLint?: boolean;
  /** True: the variable is set and not empty; absent: unknown. */
  hasEnv?(name: string): boolean;
  /** What keeps a JSON Schema of the user from being enforced as it is written; []: nothing. */
  checkJsonSchema(schema: Json): readonly string[];
  /** What answers a model backend besides turns; absent: nothing does. */
  modelSource?(backend: string, workflow: Workflow): ModelSource;
  /** True: models answer instead of turns. */
  readonly isLive?: boolean;
  /** True: every scenario is a dry run, whatever it says. */
  readonly isDryRun?: boolean;
  /** Ports the user opened to the real world, which then need no mock; absent: none. */
  readonly granted?: ReadonlySet<Port>;
  /** True: the user lets the scenario read this variable of the real environment; absent: none. */
  grantsEnv?(key: string): boolean;
}
