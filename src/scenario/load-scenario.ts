import { dirname } from 'node:path';
import { checkSchema } from '../source/check-schema.ts';
import { hiddenProblem } from '../source/hidden-problem.ts';
import { isTable } from '../source/json-schema.ts';
import { isLink, type ReadOptions, readSource } from '../source/source-file.ts';
import { parseToml, type SourceDocument } from '../source/toml-document.ts';
import { ISOLATIONS } from '../types/isolation.ts';
import type { GeneratedDocument } from '../types/generated/generated-set.ts';
import type { TryOut } from '../types/generated/try-out.ts';
import type { Issue } from '../types/issue.ts';
import type { Json, JsonObject } from '../types/json.ts';
import type { Policy } from '../types/policy.ts';
import {
  type Faults,
  type LoadedScenario,
  SAMPLERS,
  type WorkflowScenario,
  type WorkflowSubject,
} from '../types/scenario.ts';
import type { CodeCheck } from '../types/scenarios/code-check.ts';
import type { World } from '../types/scenarios/world.ts';
import type { Workflow } from '../types/workflow.ts';
import { freezeDeep } from '../values/freeze-deep.ts';
import { MEMORY } from '../values/name-from-root.ts';
import { isTooMuchWork, withWork } from '../values/work.ts';
import { numberAt, tableAt, textAt, textsAt, valueAt } from '../workflow/raw-data.ts';
import { readPolicy } from '../workflow/read-policy.ts';
import { collectIssues } from '../workflow/report.ts';
import { checkKeys } from './check-keys.ts';
import { checkRun, isDryRun } from './check-run.ts';
import { checkTurns } from './check-turns.ts';
import { loadWorkflow, type WorkflowCache, type WorkflowPlaces } from './load-workflow.ts';
import { readExpected } from './read-expected.ts';
import { readCodeChecks } from './files/read-code-checks.ts';
import { readOrigin } from './read-origin.ts';
import { readTrigger } from './read-trigger.ts';
import { readTurns } from './read-turns.ts';
import { readWorld } from './read-world.ts';
import type { Places } from './places.ts';
import type { RegistryView } from './registry-view.ts';
import { type ResolvedWorkflow, resolveFiles } from './resolve-files.ts';
import { resolveTestSchemas } from './resolve-test-schemas.ts';
import { scenarioSchema } from './scenario-schema.ts';

export interface LoadOptions extends ReadOptions {
  /** Absolute: the file whose agents are tried on tasks in place of their own; absent: these are. */
  readonly agents?: string;
  /** Absolute working directory, where files are looked for last. */
  readonly cwd: string;
  /** Workflow files that others named, read under the same options. */
  readonly workflows?: WorkflowCache;
  /** Called again and again where loading takes long, so that others get the thread; absent: they do not. */
  readonly step?: () => void | Promise<void>;
  /** Is given each generated document that stands; absent: nobody asks. */
  readonly onGenerated?: (generated: GeneratedDocument) => void;
  /** Tries scenarios out that a generator made; absent: no file generates any. */
  readonly tryOut?: TryOut;
  /** As in `Places`. */
  readonly onCode?: NonNullable<Places['onCode']>;
  /** True: scenarios are shown to nobody but passk, and so need not be frozen; absent: they are. */
  readonly isOwn?: boolean;
}

/** A document that may be a scenario, or why there is none. */
export type OpenedScenario =
  | {
      readonly ok: true;
      readonly document: SourceDocument;
      /** Absolute. */
      readonly folder: string;
    }
  | { readonly ok: false; readonly loaded: LoadedScenario<WorkflowSubject> };

/** Reads and parses the file at an absolute path, without a look at what it says. `name`: as it is shown, where known. */
export function openScenario(path: string, options: LoadOptions, name?: string): OpenedScenario {
  const read = readSource(path, options, name);
  if (!read.ok) return { ok: false, loaded: notLoaded(read.issues) };
  const parsed = parseToml(read.source);
  if (!parsed.ok) {
    // A link may have been planted to show a file of the user's.
    const issues = isLink(path) ? [hiddenProblem(read.source, 'valid TOML', parsed.issues)] : parsed.issues;
    return { ok: false, loaded: notLoaded(issues, read.source.name) };
  }
  return { ok: true, document: parsed.document, folder: dirname(path) };
}

function notLoaded(
  issues: readonly Issue[],
  file: string = issues[0]?.at?.file ?? MEMORY,
): LoadedScenario<WorkflowSubject> {
  return { ok: false, file, name: file, capabilities: [], trials: 0, issues };
}

export interface DocumentOptions extends LoadOptions {
  /** Absolute folder of the scenario. */
  readonly folder: string;
  /** The workflow's document, when it is not text of the scenario. */
  readonly workflow?: SourceDocument;
  /** As in `WorkflowPlaces`. */
  readonly fill?: NonNullable<WorkflowPlaces['fill']>;
}

/** Loads a scenario from a document that has been parsed. */
export function loadScenarioDocument(
  document: SourceDocument,
  registry: RegistryView,
  options: DocumentOptions,
): LoadedScenario<WorkflowSubject> {
  const { data, source } = document;
  const built = withinReason(() => buildScenario(document, registry, options));
  const { scenario, issues } = built ?? { scenario: null, issues: [takesTooMuch(source.name)] };
  const file = source.name;
  if (scenario !== null) return { ok: true, file, scenario, issues };
  return {
    ok: false,
    file,
    name: textAt(data, 'name') ?? file,
    capabilities: textsAt(data, 'capabilities'),
    trials: Math.max(1, numberAt(data, 'trials') ?? 1),
    issues,
  };
}

/** What one file may take to load: patterns of a few characters can be very large. */
const LOAD_WORK = 20_000_000;

/** What `load` gives; null: the file takes too much work. */
export function withinReason<T>(load: () => T): T | null {
  try {
    return withWork(LOAD_WORK, load);
  } catch (error) {
    if (isTooMuchWork(error)) return null;
    throw error;
  }
}

/** The problem of a file that takes too much work; `cause` and `hint` where it may be more than its patterns. */
export function takesTooMuch(
  file: string,
  cause = 'its patterns are too large',
  hint = 'Write fewer or smaller ones: a{1000} is as large as a thousand letters.',
): Issue {
  return {
    code: 'too_much_work',
    severity: 'error',
    message: `This file takes too long to check: ${cause}.`,
    at: { file, line: 1, column: 1 },
    hint,
  };
}

/** A scenario, or null with the reasons among the issues: every problem of the file and of what it names. */
interface BuiltScenario {
  readonly scenario: WorkflowScenario | null;
  readonly issues: readonly Issue[];
}

/** Checks a scenario document, loads what it names and puts the scenario together, frozen unless it is `isOwn`. */
function buildScenario(document: SourceDocument, registry: RegistryView, options: DocumentOptions): BuiltScenario {
  const { data } = document;
  const schemaIssues = checkSchema(document, [], scenarioSchema);
  const found = loadWorkflow(document, options, registry, options.workflow);
  const resolved = found.loaded === null ? null : resolveFiles(found.loaded, options, registry);
  const schemas = resolveTestSchemas(document, options, registry);
  let checks: readonly CodeCheck[] = [];
  const issues = [
    ...schemaIssues,
    ...collectIssues(document.locate, (report) => checkKeys(data, registry, report)),
    ...collectIssues(document.locate, (report) => {
      const place = { at: ['expected'], document, places: options, checks: registry.checks, report };
      checks = readCodeChecks(tableAt(data, 'expected'), place);
    }),
    ...checkTurns(document, registry),
    ...schemas.issues,
    ...found.issues,
    ...(resolved?.issues ?? []),
  ];
  // What a run needs can be told only of parts that are themselves sound.
  const world = schemaIssues.length === 0 ? readWorld(data) : null;
  const policy = resolved === null ? null : policyOf(data, resolved.workflow);
  if (found.loaded !== null && resolved !== null) {
    issues.push(...checkRun({ document, loaded: found.loaded, resolved, world, policy, registry }));
  }
  if (found.loaded === null || resolved === null || world === null) return { scenario: null, issues };
  if (issues.some((issue) => issue.severity === 'error')) return { scenario: null, issues };
  const scenario = assemble({ document, resolved, world, policy, registry, schemas: schemas.found, checks });
  return { scenario: options.isOwn === true ? scenario : freezeDeep(scenario), issues };
}

interface Parts {
  readonly document: SourceDocument;
  readonly resolved: ResolvedWorkflow;
  readonly world: World;
  readonly policy: Policy | null;
  readonly registry: RegistryView;
  readonly schemas: ReadonlyMap<Json, Json>;
  readonly checks: readonly CodeCheck[];
}

function assemble({ document, resolved, world, policy, registry, schemas, checks }: Parts): WorkflowScenario {
  const { data, source } = document;
  const sampler = textAt(data, 'sampler');
  const origin = readOrigin(data);
  const isolation = ISOLATIONS.find((word) => word === textAt(data, 'isolation'));
  const description = textAt(data, 'description');
  return {
    name: textAt(data, 'name') ?? source.name,
    file: source.name,
    ...(description === undefined ? {} : { description }),
    capabilities: textsAt(data, 'capabilities'),
    tags: textsAt(data, 'tags'),
    ...(origin === null ? {} : { origin }),
    trials: Math.max(1, numberAt(data, 'trials') ?? 1),
    minPassRate: numberAt(data, 'min_pass_rate') ?? null,
    timeoutMs: timeoutOf(data),
    seed: numberAt(data, 'seed') ?? null,
    sampler: SAMPLERS.find((word) => word === sampler) ?? null,
    ...(isolation === undefined ? {} : { isolation }),
    subject: {
      kind: 'workflow',
      workflow: resolved.workflow,
      ...(isDryRun(data, registry) && { dryRun: true as const }),
      children: childrenOf(resolved),
      trigger: readTrigger(data, resolved.workflow),
      turns: readTurns(data, registry),
      policy,
      world,
    },
    faults: readFaults(tableAt(data, 'faults')),
    expected: readExpected(data, (schema) => schemas.get(schema) ?? schema, checks),
  };
}

function childrenOf({ children }: ResolvedWorkflow): WorkflowSubject['children'] {
  return Object.fromEntries([...children].map(([key, child]): [string, Workflow] => [key, child.workflow]));
}

function readFaults(faults: JsonObject): Faults {
  return { intelErrorOnCall: numberAt(faults, 'intel_error_on_call') ?? null };
}

const DEFAULT_TIMEOUT_SECS = 30;

function timeoutOf(data: JsonObject): number {
  const secs = Math.max(1, numberAt(data, 'timeout_secs') ?? DEFAULT_TIMEOUT_SECS);
  return numberAt(data, 'timeout_ms') ?? Math.min(secs * 1000, Number.MAX_SAFE_INTEGER);
}

function policyOf(data: JsonObject, workflow: Workflow): Policy | null {
  const written = valueAt(data, 'policy');
  return isTable(written) ? readPolicy(written) : (workflow.policy ?? null);
}
