import path from 'node:path';
import { existsSync, realpathSync } from 'node:fs';
import { kindsWith } from '../suites/kinds.ts';
import type { SuiteKind } from '../suites/suite-kind.ts';
import { tellApart } from '../suites/tell-apart.ts';
import { loadPlugins } from '../plugin/load-plugins.ts';
import type { Registry } from '../plugin/registry.ts';
import { checkSuite } from '../scenario/check-suite.ts';
import { placeIssues } from '../report/place-report.ts';
import { documentsOf, placesIn } from './check-places.ts';
import { filePlaces } from './file-places.ts';
import type { CheckPlaces, FilePlaces } from '../types/check-places.ts';
import type { ScenarioPlan } from '../types/plan.ts';
import type { ProcessCode } from '../types/scenarios/process-code.ts';
import { camelCase } from '../source/camel-case.ts';
import { issueKey } from '../source/issue-key.ts';
import { discover, rootAsSeenFrom, type Wanted } from '../source/discover.ts';
import { projectFolder } from '../source/project-folder.ts';
import type { ReadOptions } from '../source/source-file.ts';
import { ThreadTurns } from '../pool/thread-turns.ts';
import { extendRegistry } from '../trial/registry.ts';
import type { Issue } from '../types/issue.ts';
import type { LiveNode } from '../types/live-node.ts';
import type { Grant } from '../types/permissions.ts';
import type { LoadedScenario, Scenario } from '../types/scenario.ts';
import type { SuiteDefinition } from '../types/suite.ts';
import type { DefinitionBase } from '../types/suite-base.ts';
import { type LoadSuiteOptions, type ResolvedLoadOptions, resolveLoadOptions } from '../settings/options.ts';
import type { LoadFileOptions } from './loaded-file.ts';
import { freezeDeep } from '../values/freeze-deep.ts';
import { nameFromRoot } from '../values/name-from-root.ts';
import { loadFiles } from './load-files.ts';
import { loadObjects } from './load-objects.ts';
import { prepareSchemas, registryView } from './registry-view.ts';
import { selectScenarios } from './select-scenarios.ts';

/** What loading gave: scenarios that can run, files that cannot, and every problem of all files. */
export interface LoadedSuite {
  /** Those that loaded and that the filters let through, in discovery order. */
  readonly scenarios: readonly Scenario[];
  /** Every file that was looked at, by its shown name. */
  readonly files: readonly string[];
  /** In discovery order, errors and warnings. */
  readonly issues: readonly Issue[];
  /** Scenarios and failed files together, in discovery order. */
  readonly loaded: readonly LoadedScenario[];
  /** What files hold that is run as several scenarios: those of which something is to be run, or nothing can be; in discovery order. */
  readonly definitions: readonly SuiteDefinition[];
}

/**
 * Loads scenarios without running them; files are named as seen from the working folder. Problems of files are data; throws
 * only when options cannot be used.
 */
export async function loadSuite(options: LoadSuiteOptions = {}): Promise<LoadedSuite> {
  const { suite, seenRoot } = await loadFor(resolveLoadOptions(options));
  return seenRoot === undefined ? suite : placeSuite(suite, seenRoot);
}

function placeSuite({ files, issues, loaded, definitions }: LoadedSuite, root: string): LoadedSuite {
  const place = <T extends { readonly file: string }>(one: T): T => ({ ...one, file: nameFromRoot(root, one.file) });
  const rows = loaded.map((row): LoadedScenario => {
    const placed = { ...place(row), issues: placeIssues(row.issues, root) };
    return placed.ok ? { ...placed, scenario: Object.freeze(place(placed.scenario)) } : placed;
  });
  return {
    scenarios: rows.flatMap((row) => (row.ok ? [row.scenario] : [])),
    files: files.map((file) => nameFromRoot(root, file)),
    issues: placeIssues(issues, root),
    loaded: rows,
    definitions: definitions.map(place),
  };
}

/** The loaded suite and what it was loaded with. */
export interface SuiteInput {
  readonly suite: LoadedSuite;
  /** Absolute folder that names of files are relative to. */
  readonly root: string;
  /** The same folder as seen from the working folder; absent: it is that one. */
  readonly seenRoot?: string;
  readonly registry: Registry;
  readonly liveNodes: readonly LiveNode[];
  readonly kinds: readonly SuiteKind[];
  /** What files ask for that is not run, whatever the filters let through; one sentence each. */
  readonly notRun: readonly string[];
  /** Code of this process that scenarios have, by the names that they have for it. */
  readonly processCode: ProcessCode;
  /** Where the file of a scenario asks for its checks; null: nobody knows. */
  readonly placesOf: (plan: Pick<ScenarioPlan, 'index' | 'scenario'>) => CheckPlaces | null;
  readonly filePlaces: FilePlaces;
}

const SPEC_FILES: Wanted = {
  what: 'spec file',
  hint: 'Write a model-conformance.yaml that begins with `- model: NAME`, or a .toml file with [model].',
};

export interface LoadForOptions {
  /** True: only passk sees the scenarios, so they are not frozen; default false. */
  readonly isOwn?: boolean;
  /** True: every scenario is a dry run, whatever it says; default false. */
  readonly isDryRun?: boolean;
  /** True: what a run needs and is not there is a warning; default false. */
  readonly isLint?: boolean;
  /** Is given each generated document that stands; absent: nobody asks. */
  readonly onGenerated?: LoadFileOptions['onGenerated'];
  /** Is given each file that scenario files are loaded from, by its absolute path; absent: nobody asks. */
  readonly onRead?: ReadOptions['onRead'];
}

/** Loads what the options name. */
export async function loadFor(
  options: ResolvedLoadOptions,
  { isOwn = false, isDryRun = false, isLint = false, onGenerated, onRead }: LoadForOptions = {},
): Promise<SuiteInput> {
  const plugins = await loadPlugins(options.plugins);
  const liveNodes = Object.entries(options.nodes).map(
    ([type, node]): LiveNode => ({
      type,
      summary: node.summary ?? 'A function of the host process.',
      reads: (node.reads ?? []).map(camelCase),
      labels: node.labels ?? [],
    }),
  );
  const registry = extendRegistry(plugins, liveNodes);
  const kinds = kindsWith(registry.suites);
  const view = { ...registryView(registry, plugins, options), isDryRun, isLint };
  await prepareSchemas(view);
  const found = await discover(options.paths, {
    cwd: options.cwd,
    ...(options.only === 'models' && { wanted: SPEC_FILES }),
  });
  const within = readablePlaces(found.root, options.cwd, options.permissions.read);
  const agents: { readonly agents?: string } =
    options.agents === null ? {} : { agents: path.resolve(options.cwd, options.agents) };
  const processCode = new Map<string, unknown>();
  const onCode = (name: string, code: unknown): void => void processCode.set(name, code);
  const loadedFiles = await loadFiles(found.files, view, {
    root: found.root,
    cwd: options.cwd,
    maxBytes: options.maxFileSize,
    only: options.only,
    kinds,
    isOwn,
    step: turnStep(),
    onCode,
    tryOut: async (documents) => {
      const { tryOutWith } = await import('./generated/try-out-with.ts');
      return tryOutWith({ registry, liveNodes, root: found.root }, options)(documents);
    },
    ...agents,
    ...(within !== null && { within }),
    ...(onGenerated !== undefined && { onGenerated }),
    ...(onRead !== undefined && { onRead }),
  });
  const { names, rowless, sources, documents } = loadedFiles;
  const textOf = documentsOf(sources);
  const recorded = await recordingsOf(options, registry, found.root);
  const { cwd, only } = options;
  const fromMemory = await loadObjects(options.scenarios, view, { kinds, only, cwd, ...agents, onCode });
  const { rows: all, definitions } = tellApart({
    rows: [...loadedFiles.rows, ...recorded.rows, ...fromMemory.rows],
    definitions: [...loadedFiles.definitions, ...fromMemory.definitions],
  });
  const suiteIssues = checkSuite(all);
  const loaded = selectScenarios(all, options);
  const scenarios = loaded.flatMap((one) => (one.ok ? [one.scenario] : []));
  const issues = withoutRepeats([
    ...found.issues,
    ...loaded.flatMap((one) => one.issues),
    ...rowless,
    ...recorded.issues,
    ...suiteIssues,
  ]);
  const seenRoot = rootAsSeenFrom(options.cwd, found.root);
  return {
    suite: {
      scenarios,
      files: [...names, ...recorded.files, ...fromMemory.rows.map((one) => one.file)],
      issues,
      loaded,
      // Every kind in the list has its definitions in that type.
      definitions: selectDefinitions(definitions, all, loaded) as readonly SuiteDefinition[],
    },
    root: found.root,
    ...(seenRoot !== undefined && { seenRoot }),
    registry,
    liveNodes,
    kinds,
    notRun: [...loadedFiles.notRun, ...fromMemory.notRun],
    processCode,
    placesOf: ({ scenario }) => placesIn(textOf)(scenario),
    filePlaces: filePlaces({
      documentOf: (file) => documents.get(file) ?? textOf(file),
      agentsFile: agents.agents ?? null,
      root: found.root,
      seenRoot,
    }),
  };
}

/** Most runs read no recording. */
async function recordingsOf(
  options: ResolvedLoadOptions,
  { importers }: Registry,
  root: string,
): Promise<LoadedRecordings> {
  if (options.recordings.length === 0) return { rows: [], issues: [], files: [] };
  const [{ findRecordings }, { recordedScenario }] = await Promise.all([
    import('../suites/recording/find-recordings.ts'),
    import('../suites/recording/recorded-scenario.ts'),
  ]);
  const map = options.upstreamSemantics ? { ...options.map, semantics: 'upstream' } : options.map;
  const { sets, issues, files } = await findRecordings({ ...options, map, importers, root, step: turnStep() });
  const rows = sets.map((set): LoadedScenario => {
    return { ok: true, file: set.file, scenario: freezeDeep(recordedScenario(set, options.judgedBy)), issues: [] };
  });
  return { rows, issues, files };
}

/** What recorded files gave that were named without a file about them. */
interface LoadedRecordings {
  readonly rows: readonly LoadedScenario[];
  /** Problems that are in no row. */
  readonly issues: readonly Issue[];
  readonly files: readonly string[];
}

/** Gives the thread back now and then. */
function turnStep(): () => void | Promise<void> {
  const turns = new ThreadTurns();
  return () => (turns.isOver() ? turns.next() : undefined);
}

/** Those with a selected part, and those without any part when nothing was filtered out. */
function selectDefinitions(
  definitions: readonly DefinitionBase[],
  all: readonly LoadedScenario[],
  selected: readonly LoadedScenario[],
): readonly DefinitionBase[] {
  const namesIn = (rows: readonly LoadedScenario[]): ReadonlySet<string | undefined> =>
    new Set(rows.map((row) => (row.ok ? row.scenario.part?.of : undefined)));
  const filesIn = (rows: readonly LoadedScenario[]): ReadonlySet<string | undefined> =>
    new Set(rows.map((row) => (row.ok && row.scenario.generated !== undefined ? row.scenario.file : undefined)));
  const generating = filesIn(selected);
  const chosen = namesIn(selected);
  const planned = namesIn(all);
  const isWhole = selected.length === all.length;
  return definitions.filter(
    ({ kind, name, file }) =>
      (kind === 'generated' ? generating.has(file) : chosen.has(name)) || (isWhole && !planned.has(name)),
  );
}

/**
 * Where files may be that scenarios name, and links to scenarios may lead: the project of the suite, the working folder,
 * and what is granted; null: anywhere.
 */
function readablePlaces(root: string, cwd: string, granted: Grant): readonly string[] | null {
  if (granted === true) return null;
  const places = [root, cwd, ...(granted === false ? [] : granted)]
    .filter((place) => existsSync(place))
    .map((place) => realpathSync.native(place));
  return existsSync(root) ? [projectFolder(realpathSync.native(root)), ...places] : places;
}

/** Each problem once: scenarios that share a workflow file share its problems. */
export function withoutRepeats(issues: readonly Issue[]): readonly Issue[] {
  const listed = new Set<string>();
  return issues.filter((issue) => {
    const key = issueKey(issue);
    return !listed.has(key) && listed.add(key);
  });
}
