import type { Location } from './issue.ts';
import type { Capability, Compat, ModelTest } from './model-test.ts';
import type { ModelEndpoint } from './model-endpoint.ts';
import type { Amount, Count, Proportion } from './numbers.ts';
import type { TrialCounts } from './reports/suite-summary.ts';
import type { DefinitionBase, PartBase, ResultBase } from './suite-base.ts';

/** One model and one test of it. No file can write it: spec files are planned into it. */
export interface ModelSubject {
  readonly kind: 'model';
  /** As the spec file names it. */
  readonly model: string;
  /** How the model is reached. */
  readonly access: ModelAccess;
  /** What it is asked, and what must hold of the answer. */
  readonly test: ModelTest;
  /** By whose reading the answer is judged. */
  readonly compat: Compat;
  /** How often, and when, it is asked again. */
  readonly retries: ModelRetries;
}

/** How the models of one spec file are asked. Equal values stand for one runner. Paths are relative to the suite root, with `/`. */
export interface ModelAccess {
  /** A registered runner. */
  readonly runner: string;
  /** The plug-in of Genkit that serves the models. */
  readonly plugin: string;
  /** The language of the plug-in. */
  readonly runtime: string;
  /** The file that names models and tests. */
  readonly spec: string;
  /** Null: there is none. */
  readonly entry: string | null;
  /** The program that calls the models itself; null: none. */
  readonly executor: string | null;
  /** Program and arguments of the server. */
  readonly command: readonly string[];
  /** Folder that the server is started in. */
  readonly cwd: string;
  /** Of a server that runs already. */
  readonly url: string | null;
  /** Models that the server is to serve. */
  readonly models: readonly string[];
  /** Variables that the plug-in needs. */
  readonly env: readonly string[];
  /** Milliseconds that the server may take to start. */
  readonly startupTimeoutMs: number;
  /** Milliseconds that it may take to say that it is healthy. */
  readonly healthTimeoutMs: number;
  /** Questions at a time. */
  readonly atOnce: number;
  /** Plug-ins asked at a time. */
  readonly plugins: number;
  /** Of runner `direct`: where each model is; null: the runner knows. */
  readonly endpoints: Readonly<Record<string, ModelEndpoint>> | null;
}

/** The runner that asks with passk's own clients of models: no SDK takes part. */
export const DIRECT = 'direct';

/** How often what may pass by itself is asked again. */
export interface ModelRetries {
  /** After the first attempt. */
  readonly most: Count;
  /** Attempt k waits random × min(base × 2^k, 60 s): full jitter. */
  readonly baseDelayMs: number;
}

/** A spec file under one runtime. */
export interface ModelSuite extends DefinitionBase {
  readonly kind: 'model';
  /** The plug-in of Genkit that serves the models. */
  readonly plugin: string;
  /** The language of the plug-in. */
  readonly runtime: string;
  /** How the models are asked. */
  readonly runner: string;
  /** Models with their tests. */
  readonly models: readonly SpecModel[];
  /** Variables that are not there, because of which nothing is asked. */
  readonly missingEnv: readonly string[];
  /** Share of the trials of each test that must pass; 1: all. */
  readonly minPassRate: number;
  /** So many of so many trials of each test must pass, in place of the share; null: the share says it. */
  readonly samples: Samples | null;
  /** True: a test that passes only after a retry fails. */
  readonly failsOnFlaky: boolean;
  /** Tests that are known to fail, by the names of their scenarios: one that passes fails the suite, one that fails does not. */
  readonly expectedFailures: readonly string[];
  /** Plug-ins of tests that are known to fail, of which there is no spec file beside this one. */
  readonly strayFailures: readonly StrayFailure[];
}

export interface StrayFailure {
  /** The plug-in. */
  readonly plugin: string;
  /** In the file of known failures. */
  readonly at: Location;
}

/** `least` of `of`. */
export interface Samples {
  /** At least so many must pass. */
  readonly least: Count;
  /** Of so many. */
  readonly of: Count;
}

/** A model of a specification, with its tests. */
export interface SpecModel {
  /** The model's name. */
  readonly name: string;
  /** What it is asked. */
  readonly tests: readonly SpecTest[];
}

/** A test as its file has it, without what is asked. */
export interface SpecTest extends Pick<ModelTest, 'id' | 'name' | 'capability' | 'stream'> {
  /** As files write them. */
  readonly validators: readonly string[];
  /** Where the file asks for it, or names the model where nothing asks for it. */
  readonly at: Pick<Location, 'line' | 'column'>;
}

/** The cell that a scenario is. */
export interface ModelPart extends PartBase {
  readonly kind: 'model';
  /** The model's name. */
  readonly model: string;
  /** Id of the test. */
  readonly test: string;
}

/** What the models of a spec file gave. */
export interface ModelReport extends ResultBase {
  readonly kind: 'model';
  /** The plug-in of Genkit that served the models. */
  readonly plugin: string;
  /** The language of the plug-in. */
  readonly runtime: string;
  /** How the models were asked. */
  readonly runner: string;
  /** Names of the models, in the order of the file. */
  readonly models: readonly string[];
  /** All tests of all models, the built-in ones first. */
  readonly tests: readonly ModelColumn[];
  /** Model by model, each with its own tests in the order of `tests`. */
  readonly cells: readonly ModelCell[];
  /** Variables that are not there, because of which nothing was asked. */
  readonly missingEnv: readonly string[];
  /** What came out otherwise under another runtime of the same file; absent: there is none, or this is the first. */
  readonly parity?: ModelParity;
}

/** A suite beside the first one of the same file. */
export interface ModelParity {
  /** The first runtime. */
  readonly runtime: string;
  /** Tests that both asked. */
  readonly compared: Count;
  /** Those of them that ended in another state. */
  readonly differences: readonly ModelDifference[];
}

export interface ModelDifference {
  /** The name of the model. */
  readonly model: string;
  /** Id of the test. */
  readonly test: string;
  /** The result of the model's cell. */
  readonly state: ModelCellState;
  /** Under the first runtime. */
  readonly first: ModelCellState;
}

/** A test, as a column of the matrix of models. */
export interface ModelColumn {
  /** What tells the test from others. */
  readonly id: string;
  /** The test's name. */
  readonly name: string;
  /** The capability that it shows; null: none. */
  readonly capability: Capability | null;
}

/**
 * `flaky`: all trials passed, some of them only after a retry. `error`: the model or its plug-in answered with an error, or nobody
 * could be asked. `skipped`: nothing was asked, or the run ended before its trials could decide.
 */
export const CELL_STATES = ['passed', 'flaky', 'failed', 'error', 'timed_out', 'skipped'] as const;

/** What became of a test of a model. */
export type ModelCellState = (typeof CELL_STATES)[number];

/** What became of one test of one model. */
export interface ModelCell {
  /** The model's name. */
  readonly model: string;
  /** Id of the test. */
  readonly test: string;
  /** What became of the test. */
  readonly state: ModelCellState;
  /** Where the spec file asks for it, or names the model where nothing asks for it; absent in reports of earlier versions. */
  readonly at?: {
    /** Counts from 1. */
    readonly line: Count;
    /** Counts from 1. */
    readonly column: Count;
  };
  /** It is known to fail; absent: it is not. */
  readonly expectedToFail?: true;
  /** How often it was asked. */
  readonly trials: TrialCounts;
  /** Share of trials that passed; null: none was judged. */
  readonly passRate: Proportion | null;
  /** 95 %: Wilson's score interval; null: none was judged. */
  readonly passRateInterval: readonly [Proportion, Proportion] | null;
  /** Unbiased chance that k trials all pass, for listed k; []: none was judged. */
  readonly passHatK: readonly {
    /** How many trials in a row must pass. */
    readonly k: Count;
    /** The chance of that. */
    readonly value: Proportion;
  }[];
  /** Attempts after the first ones. */
  readonly retries: Count;
  /** Tokens of all trials. */
  readonly tokens: Count;
  /** True: an answer did not tell its tokens, which `tokens` lacks; absent: all did, or nothing was asked. */
  readonly untold?: true;
  /** Tokens of all trials over passing trials; null: none passed, or nobody told of tokens. */
  readonly tokensPerSuccess: Amount | null;
  /** The lowest trial that did not pass, counted from 0; absent: all passed, or none ran. */
  readonly trial?: Count;
  /** Of the lowest trial that did not pass: what was wrong, with the failed validators first; null: nothing was. */
  readonly message: string | null;
  /** What the model said in that trial, of which at most 4,000 characters, and no data of its data URIs; null: nothing, or nothing is known of it. */
  readonly answer: string | null;
  /** The last lines that processes of the plug-in printed during that trial, for whichever test; null: none. */
  readonly log: string | null;
  /** The command that repeats that trial; null: none does. */
  readonly replay: string | null;
}

/** What starting the entry of a spec file under one runtime came to. */
export interface StartedEntry {
  /** The plug-in of Genkit that it serves. */
  readonly plugin: string;
  /** The language of the plug-in. */
  readonly runtime: string;
  /** How its models are asked. */
  readonly runner: string;
  /** The spec file, relative to the suite root. */
  readonly file: string;
  /** Until it could be asked; null: it does not start. */
  readonly seconds: number | null;
  /** Sentences that say why it does not start, with its last lines; []: it starts. */
  readonly problems: readonly string[];
}

/** The name of the host's function that asks models through runners. */
export const MODEL_CALL = 'model-test';

/** What that function is asked; plain data. It answers with a `ModelRun`. */
export interface ModelCallPayload {
  /** Position in the plan. */
  readonly scenario: number;
  readonly trial: number;
  /** True: nobody else asks the plug-in meanwhile. */
  readonly alone: boolean;
}
