import type { LoadOptions } from '../scenario/load-scenario.ts';
import type { ObjectOptions } from '../scenario/objects/scenario-from-object.ts';
import type { RegistryView } from '../scenario/registry-view.ts';
import type { SourceDocument } from '../source/toml-document.ts';
import type { AgentFacts } from '../types/contract.ts';
import type { OverallScore } from '../types/reports/contract-report.ts';
import type { Finding } from '../types/reports/finding.ts';
import type { Issue } from '../types/issue.ts';
import type { ScenarioPlan } from '../types/plan.ts';
import type { ProgressRow } from '../types/progress.ts';
import type { Turn } from '../types/record.ts';
import type { LoadedScenarioReport } from '../types/reports/scenario-report.ts';
import type { LoadedScenario } from '../types/scenario.ts';
import type { DefinitionBase, ResultBase } from '../types/suite-base.ts';

/** A kind of suite file, as far as it must be known before one of its files is there. */
export interface SuiteKind {
  readonly kind: 'suite';
  /** As definitions, parts and results call it. */
  readonly type: string;
  /** As `only` and counts call it. */
  readonly plural: string;
  /** What a file of this kind is called, such as `a contract`. */
  readonly file: string;
  readonly summary: string;
  /** Keys at the root of such files by which they are told from files of other programs. */
  readonly rootKeys: ReadonlySet<string>;
  /** True for a document of this kind, whether it is sound or not. */
  detects(document: SourceDocument): boolean;
  /** True for one that such files name, and that is nothing by itself: folders that hold one pass it over; absent: none is. */
  isPart?(document: SourceDocument): boolean;
  /** True for an object of this kind that a program made; absent: programs make none. */
  detectsObject?(made: Readonly<Record<string, unknown>>): boolean;
  /** What it does; most runs have no file of most kinds, and need nothing of them. */
  open(): Promise<SuiteVerbs>;
}

/**
 * What a kind does at each verb: a document is loaded, its definitions are planned as scenarios, and what these gave is folded
 * into one result for each definition. Between the two nobody knows the kind. How a result is reported stands in
 * `report/result-kinds.ts`.
 */
export interface SuiteVerbs<D extends DefinitionBase = DefinitionBase, R extends ResultBase = ResultBase> {
  /** The document as it is meant, where it is YAML; absent: YAML files of this kind are none. */
  fromYaml?(document: SourceDocument): SourceDocument;
  /** Never throws for what the document says. */
  load(document: SourceDocument, view: RegistryView, options: LoadDocumentOptions): Promise<LoadedDocument<D>>;
  /** Loads an object that `detectsObject` found, as `load` does a document; absent: there are none. */
  loadObject?(made: unknown, view: RegistryView, options: ObjectOptions): Promise<LoadedDocument<D>>;
  /** What was asked of the run and does not concern these definitions, and what of them can never fail or was left out. */
  notices(definitions: readonly D[], options: NoticeOptions, parts: readonly PartResult[]): readonly Issue[];
  /** The bar that the least tried part of a definition must clear; null: it has none that trials decide. */
  barOf(definition: D, plans: readonly ScenarioPlan[]): DefinitionBar | null;
  /** The lines that definitions have on a terminal while they run; absent: none. Pure; asked ten times a second. */
  rows?(definitions: readonly D[], parts: readonly PartProgress[]): readonly ProgressRow[];
  /** The trials that `fold` would see, each once, the most important first. */
  wants(definitions: readonly D[], parts: readonly PartResult[]): readonly WantedTrial[];
  /** The results, in the order of definitions. Pure, and the same for any order of parts. */
  fold(definitions: readonly D[], parts: readonly PartResult[], facts: RunFacts): Folded<R>;
}

export interface LoadDocumentOptions extends LoadOptions {
  /** Absolute folder of the file. */
  readonly folder: string;
  /** The document of its workflow, where that is an object; absent: it stands in the file, or in one of its own. */
  readonly workflow?: SourceDocument;
}

/** What a document gave. */
export interface LoadedDocument<D extends DefinitionBase = DefinitionBase> {
  /** One for each scenario that it is planned as, or one that says why there are none. */
  readonly rows: readonly LoadedScenario[];
  /** []: the file did not load. */
  readonly definitions: readonly D[];
  /** What the file asks for that is not run, one sentence each. */
  readonly notRun: readonly string[];
  /** All of the file; the first row has them too, where there is one. */
  readonly issues: readonly Issue[];
}

/** Options of a run that may not concern a definition; null: not asked. */
export interface NoticeOptions {
  readonly baseline: unknown;
  readonly saveBaseline: unknown;
  readonly history: unknown;
  readonly stopEarly: unknown;
  readonly sampler: string;
  readonly minScore: number | null;
}

export interface DefinitionBar {
  /** What it is the bar of, such as `each cell`. */
  readonly what: string;
  /** In [0, 1]; null: every trial must pass. */
  readonly bar: number | null;
  /** Of the part that has the fewest. */
  readonly trials: number;
}

/** What one scenario gave that was run for a definition. */
export interface PartResult {
  readonly plan: ScenarioPlan;
  readonly report: LoadedScenarioReport;
  /** Trials of which something is known: those that were kept as they ran, and of `wants` those that can be run again. */
  readonly seen: readonly SeenTrial[];
  /** The command that repeats a trial; null: none does. */
  readonly replay: (trial: number) => string | null;
}

/** A trial with everything that a fold may look at. */
export interface SeenTrial {
  readonly trial: number;
  /** Failed checks only. */
  readonly findings: readonly Finding[];
  /** Declared faults that fired. */
  readonly fired: readonly string[];
  /** What was said; []: nothing of it was kept. */
  readonly turns: readonly Turn[];
}

/** How far one scenario has come that is run for a definition. */
export interface PartProgress {
  readonly plan: ScenarioPlan;
  /** Trials by their verdicts. */
  readonly passed: number;
  readonly failed: number;
  readonly broken: number;
  /** Of the failed ones, by how they ended. */
  readonly errored: number;
  readonly timedOut: number;
  /** Attempts after the first ones. */
  readonly retries: number;
  /** Questions that are asked now. */
  readonly running: number;
}

export interface WantedTrial {
  readonly part: PartResult;
  readonly trial: number;
  /** The checks that it failed when it was counted, as far as results rest on them; []: it is but an example. */
  readonly evidenceOf: readonly string[];
}

/** What the parts of definitions cannot tell. */
export interface RunFacts {
  /** What the run learned of agents, by the definition's name. */
  readonly agents: Readonly<Record<string, AgentFacts>>;
  /** What files ask for that is not run. */
  readonly notRun: readonly string[];
}

export interface Folded<R extends ResultBase = ResultBase> {
  readonly results: readonly R[];
  /** Over all definitions of the kind; absent: it has no such number. */
  readonly overall?: OverallScore;
}
