import { checkSchema } from '../source/check-schema.ts';
import { embeddedSource } from '../source/embedded.ts';
import { isTable } from '../source/json-schema.ts';
import { displayName } from '../source/source-file.ts';
import { parseToml, type SourceDocument } from '../source/toml-document.ts';
import { ISOLATIONS } from '../types/isolation.ts';
import type { Issue } from '../types/issue.ts';
import type { Json, JsonObject } from '../types/json.ts';
import type { Policy } from '../types/policy.ts';
import { type Faults, SAMPLERS, type WorkflowScenario, type WorkflowSubject, type World } from '../types/scenario.ts';
import type { Workflow } from '../types/workflow.ts';
import { freezeDeep } from '../values/freeze-deep.ts';
import { numberAt, tableAt, textAt, textsAt, valueAt } from '../workflow/raw-data.ts';
import { readPolicy } from '../workflow/read-policy.ts';
import { collectIssues, toIssue } from '../workflow/report.ts';
import { checkKeys } from './check-keys.ts';
import { checkRun, isDryRun } from './check-run.ts';
import { checkTurns } from './check-turns.ts';
import type { DocumentOptions } from './load-scenario.ts';
import { loadWorkflowFile, readWorkflow, type WorkflowResult } from './load-workflow.ts';
import { findFile, type Places } from './places.ts';
import { readExpected } from './read-expected.ts';
import { readTrigger } from './read-trigger.ts';
import { readTurns } from './read-turns.ts';
import { readWorld } from './read-world.ts';
import type { RegistryView } from './registry-view.ts';
import { type ResolvedWorkflow, resolveFiles } from './resolve-files.ts';
import { resolveTestSchemas } from './resolve-test-schemas.ts';
import { scenarioSchema } from './scenario-schema.ts';

/** A scenario, or null with the reasons among the issues: every problem of the file and of what it names. */
export interface BuiltScenario {
  readonly scenario: WorkflowScenario | null;
  readonly issues: readonly Issue[];
}

/** Checks a scenario document, loads what it names and puts the scenario together, frozen unless it is `isOwn`. */
export function buildScenario(
  document: SourceDocument,
  registry: RegistryView,
  options: DocumentOptions,
): BuiltScenario {
  const { data } = document;
  const places: Places = options;
  const schemaIssues = checkSchema(document, [], scenarioSchema);
  const found = loadWorkflow(document, places, registry, options.workflow);
  const resolved = found.loaded === null ? null : resolveFiles(found.loaded, places, registry);
  const schemas = resolveTestSchemas(document, places, registry);
  const issues = [
    ...schemaIssues,
    ...collectIssues(document.locate, (report) => checkKeys(data, registry, report)),
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
  const scenario = assemble({ document, resolved, world, policy, registry, schemas: schemas.found });
  return { scenario: options.isOwn === true ? scenario : freezeDeep(scenario), issues };
}

function loadWorkflow(
  document: SourceDocument,
  places: Places,
  registry: RegistryView,
  workflow: SourceDocument | undefined,
): WorkflowResult {
  const table = tableAt(document.data, 'workflow');
  const path = textAt(table, 'path');
  if (workflow !== undefined) return readWorkflow(workflow, registry, null);
  if (textAt(table, 'inline') !== undefined) {
    const parsed = parseToml(embeddedSource(document, ['workflow', 'inline']));
    return parsed.ok ? readWorkflow(parsed.document, registry, null) : { loaded: null, issues: parsed.issues };
  }
  if (path === undefined) return { loaded: null, issues: [] };
  const problem = (code: string, message: string, hint: string) =>
    toIssue({ code, message, at: ['workflow', 'path'], hint }, document.locate);
  const file = findFile(path, places, null);
  if (file === null || file.climbsTooFar) {
    const hint = 'Paths start at the folder of the scenario file; the working directory is tried last.';
    return { loaded: null, issues: [problem('missing_workflow', `There is no workflow file "${path}".`, hint)] };
  }
  const result = loadWorkflowFile(file.path, places, registry);
  if (result.loaded !== null) return result;
  const name = displayName(file.path, places.root);
  const hint = 'Correct the errors shown for that file.';
  return {
    loaded: null,
    issues: [...result.issues, problem('invalid_workflow', `Workflow "${name}" has errors.`, hint)],
  };
}

interface Parts {
  readonly document: SourceDocument;
  readonly resolved: ResolvedWorkflow;
  readonly world: World;
  readonly policy: Policy | null;
  readonly registry: RegistryView;
  readonly schemas: ReadonlyMap<Json, Json>;
}

function assemble({ document, resolved, world, policy, registry, schemas }: Parts): WorkflowScenario {
  const { data, source } = document;
  const sampler = textAt(data, 'sampler');
  const isolation = ISOLATIONS.find((word) => word === textAt(data, 'isolation'));
  const description = textAt(data, 'description');
  return {
    name: textAt(data, 'name') ?? source.name,
    file: source.name,
    ...(description === undefined ? {} : { description }),
    capabilities: textsAt(data, 'capabilities'),
    tags: textsAt(data, 'tags'),
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
    expected: readExpected(data, (schema) => schemas.get(schema) ?? schema),
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
  const own = valueAt(data, 'policy');
  return isTable(own) ? readPolicy(own) : (workflow.policy ?? null);
}
