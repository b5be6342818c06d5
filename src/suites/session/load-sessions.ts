import { unloadedRow } from '../unloaded-document.ts';
import type { Places } from '../../scenario/places.ts';
import { loadCases } from '../../scenario/cases/load-cases.ts';
import { bareScenario } from '../../scenario/bare-scenario.ts';
import { takesTooMuch, withinReason } from '../../scenario/load-scenario.ts';
import { checkCapabilities } from '../../scenario/check-keys.ts';
import { readOrigin } from '../../scenario/read-origin.ts';
import type { RegistryView } from '../../scenario/registry-view.ts';
import { checkSchema } from '../../source/check-schema.ts';
import type { SourceDocument } from '../../source/toml-document.ts';
import { hintFor } from '../../text/did-you-mean.ts';
import type { Chaos } from '../../types/chaos.ts';
import { compileGlob } from '../../values/compile-glob.ts';
import { readChaos } from '../contract/read-chaos.ts';
import type { Issue } from '../../types/issue.ts';
import type { JsonObject } from '../../types/json.ts';
import type { LoadedScenario, Scenario } from '../../types/scenario.ts';
import type { SessionLimits, SessionSubject } from '../../types/session.ts';
import type { DeclaredWorld } from '../../types/sessions/declared-world.ts';
import { freezeDeep } from '../../values/freeze-deep.ts';
import { numberAt, tableAt, tablesAt, textAt, textsAt, valueAt } from '../../workflow/raw-data.ts';
import { collectIssues, type Report } from '../../workflow/report.ts';
import type { Reading } from '../contract/reading.ts';
import { checkMutationModel, readMutations } from '../mutations/read-mutations.ts';
import type { LoadDocumentOptions, LoadedDocument } from '../suite-kind.ts';
import { withHints } from '../with-hints.ts';
import { agentHints, taskAgentHints } from './agent-hints.ts';
import { hasOneAgent } from './has-one-agent.ts';
import { isMutated, tellNobodyMutated } from './mutated-agents.ts';
import { readAttacks } from './attacks/read-attacks.ts';
import { type RecordedSources, recordedSources } from './attacks/recorded-sources.ts';
import { climbSessions, type ReadSessions } from './ladders/climb-sessions.ts';
import { loadAgentsFile } from './load-agents-file.ts';
import { loadWorld } from './load-world.ts';
import type { WorldSource } from './loaded-world.ts';
import type { FileAgents } from './read-agents.ts';
import { readFileAgents, readOnlyAgent, readSystem } from './read-file-agents.ts';
import { readSessionPolicy } from './read-session-policy.ts';
import { DEFAULT_TIMEOUT_MS, type Header, readTask } from './read-task.ts';
import { checkIdleAxes, readPersonas } from './read-personas.ts';
import { agentScenarioSchema, sessionSchema } from './session-schema.ts';
import { changesOf, taskWorld } from './task-world.ts';
import { WrongParts } from './wrong-parts.ts';

const TOO_MUCH = 'its gold calls do too much, or its patterns are too large';
const DEFAULT_USER_FAILURES = 0.1;
const DEFAULT_LIMITS: SessionLimits = { messages: 20, calls: 100 };

/**
 * Loads a file of tasks, or one with an agent and what is wanted of it: each agent on each task becomes a scenario, on each rung of
 * a ladder, and for each row of `cases` and each combination of a `matrix`.
 */
export async function loadSessions(
  document: SourceDocument,
  view: RegistryView,
  options: LoadDocumentOptions,
): Promise<LoadedDocument> {
  const { data } = document;
  // A ladder beside cases is an error, which is told where the ladder is read.
  const hasCases = Object.hasOwn(data, 'matrix') || (Object.hasOwn(data, 'cases') && !Object.hasOwn(data, 'ladder'));
  const rows = hasCases
    ? await loadCases<SessionSubject>(document, { ...options, ladder: null }, (one) =>
        loadRows(one.document, view, options),
      )
    : await loadRows(document, view, options);
  return { rows, definitions: [], notRun: [], issues: rows.flatMap(({ issues }) => issues) };
}

async function loadRows(
  document: SourceDocument,
  view: RegistryView,
  options: LoadDocumentOptions,
): Promise<readonly LoadedScenario<SessionSubject>[]> {
  const { data, source } = document;
  const sources = await recordedSources(data, options);
  const read = (one: SourceDocument): ReadSessions => readSessions(one, view, { ...options, sources });
  const { scenarios, issues } = Object.hasOwn(data, 'ladder')
    ? await climbSessions(document, { read, ...options })
    : read(document);
  if (issues.some(({ severity }) => severity === 'error')) {
    const name = textAt(data, 'name') ?? source.name;
    return [unloadedRow(source.name, { name, trials: numberAt(data, 'trials') ?? 1, issues })];
  }
  return scenarios.map((scenario, at) => ({
    ok: true,
    file: source.name,
    scenario: options.isOwn === true ? scenario : freezeDeep(scenario),
    issues: at === 0 ? issues : [],
  }));
}

function readSessions(
  document: SourceDocument,
  view: RegistryView,
  options: LoadDocumentOptions & { readonly sources: RecordedSources },
): ReadSessions {
  const { data, source } = document;
  const isTask = hasOneAgent(data);
  const schema = isTask ? agentScenarioSchema : sessionSchema;
  const issues: Issue[] = [
    ...withHints(checkSchema(document, [], schema), isTask ? agentHints(data) : taskAgentHints(data), document),
  ];
  const wrong = new WrongParts(schema, data);
  const { world, code = null, issues: worldIssues } = loadWorld(document, wrong, options);
  issues.push(...worldIssues);
  const scenarios: Scenario<SessionSubject>[] = [];
  const read = (sink: Report): void => {
    const report = wrong.without(sink);
    const reading = { document, places: options, profiles: new Map(), report, plugins: view };
    const add = (issue: Issue): void => void issues.push(issue);
    const system = readSystem(data, { places: options, report, add });
    const readOwn = isTask ? readOnlyAgent : readFileAgents;
    const everywhere =
      options.agents === undefined
        ? readOwn(data, { system, places: options, reading })
        : loadAgentsFile(options.agents, { system, places: options, plugins: view, add });
    scenarios.push(
      ...readTasks(data, {
        world,
        code,
        everywhere,
        hasAgents: isTask || options.agents !== undefined || tablesAt(data, 'agents').length > 0,
        isReplaced: options.agents !== undefined,
        places: options,
        sources: options.sources,
        reading,
        wrong,
      }),
    );
  };
  // Gold calls are carried out, and patterns compiled.
  const found = withinReason(() => collectIssues(document.locate, read));
  issues.push(...(found ?? [takesTooMuch(source.name, TOO_MUCH, 'Write smaller patterns, or a smaller state.')]));
  return { scenarios, issues };
}

interface FileParts extends FileAgents {
  /** Null: it has errors, so that nothing can be said of what tasks do in it. */
  readonly world: DeclaredWorld | null;
  /** The code that the world is; null: none. */
  readonly code: WorldSource | null;
  /** True: they take the place of the tasks' own. */
  readonly isReplaced: boolean;
  readonly places: Places;
  /** What stands in the files that attacks name. */
  readonly sources: RecordedSources;
  readonly reading: Reading;
  readonly wrong: WrongParts;
}

function readTasks(
  data: JsonObject,
  { world, code, everywhere, hasAgents, isReplaced, places, sources, reading, wrong }: FileParts,
): readonly Scenario<SessionSubject>[] {
  const header = {
    ...readHeader(data, reading.document.source.name),
    faults: { intelErrorOnCall: null, ...readFaults(data, world, reading.report) },
  };
  const { report } = reading;
  // A file with one agent is a task itself.
  const isTask = hasOneAgent(data);
  if (!isTask) checkCapabilities(data, [], report);
  const policy = readSessionPolicy(data, { at: [], world, report });
  const personas = readPersonas(data, report);
  const mutations = readMutations(data, report);
  checkMutationModel(data, report);
  if (mutations.types.length + mutations.made.length > 0 && !everywhere.some(isMutated)) tellNobodyMutated(report);
  const attacks = readAttacks(data, { world, isCode: code !== null, places, sources, report });
  const shared = { everywhere, hasAgents, personas, mutations, attacks, places, reading, wrong };
  if (isTask) {
    const coded = code === null ? {} : { worldCode: { ...code, changes: [] } };
    if (valueAt(tableAt(data, 'user'), 'model') === undefined) checkIdleAxes(data, report);
    return readTask(data, { at: [], header, world, coded, policy, ...shared });
  }
  const tasks = tablesAt(data, 'tasks');
  if (!tasks.some(({ table }) => valueAt(tableAt(table, 'user'), 'model') !== undefined)) checkIdleAxes(data, report);
  const taken = new Set<string>();
  return tasks.flatMap(({ table: written, index }) => {
    // Agents that take the place of all others take that of the task's own, too.
    const { agents: own, ...rest } = written;
    const table = !isReplaced || own === undefined ? written : rest;
    const at = ['tasks', index];
    const name = textAt(table, 'name') ?? '';
    if (taken.has(name)) {
      report({ code: 'duplicate_name', message: `There is another task "${name}".`, at: [...at, 'name'] });
    }
    taken.add(name);
    const fresh = world === null || wrong.has([...at, 'state']) ? null : taskWorld(table, { world, at, report });
    // A task's own policy replaces the file's whole, as that of a scenario does that of its workflow.
    const bound = readSessionPolicy(table, { at, world, report }) ?? policy;
    const coded = code === null ? {} : { worldCode: { ...code, changes: changesOf(table) } };
    return readTask(table, { at, header, world: fresh, coded, policy: bound, ...shared });
  });
}

function readHeader(data: JsonObject, file: string): Header {
  const session = tableAt(data, 'session');
  const origin = readOrigin(data);
  const tokens = numberAt(session, 'tokens');
  const timeoutMs = numberAt(data, 'timeout_ms') ?? null;
  const trials = numberAt(data, 'trials') ?? 1;
  return {
    ...bareScenario({ name: textAt(data, 'name') ?? file, file, trials, timeoutMs: DEFAULT_TIMEOUT_MS }),
    timeoutMs,
    tags: textsAt(data, 'tags'),
    capabilities: textsAt(data, 'capabilities'),
    ...(origin !== null && { origin }),
    minPassRate: numberAt(data, 'min_pass_rate') ?? null,
    seed: numberAt(data, 'seed') ?? null,
    limits: {
      messages: numberAt(session, 'messages') ?? DEFAULT_LIMITS.messages,
      calls: numberAt(session, 'calls') ?? DEFAULT_LIMITS.calls,
      ...(tokens !== undefined && { tokens }),
    },
    mostFailures: numberAt(session, 'max_user_failures') ?? DEFAULT_USER_FAILURES,
  };
}

/** What goes wrong around the agents of a file; {}: nothing is declared. Tells faults of tools that are not there. */
function readFaults(data: JsonObject, world: DeclaredWorld | null, report: Report): { readonly chaos?: Chaos } {
  if (!Object.hasOwn(data, 'chaos')) return {};
  const at = ['chaos'];
  const chaos = readChaos(tableAt(data, 'chaos'), at, report);
  for (const [index, { tool }] of chaos.toolFaults.entries()) {
    const names = world?.tools.map(({ name }) => name) ?? [];
    if (world === null || names.some(compileGlob(tool))) continue;
    report({
      code: 'unknown_tool',
      message: `The world has no tool that "${tool}" names.`,
      at: [...at, 'tool_faults', index, 'tool'],
      hint: hintFor(tool, names, 'tools'),
    });
  }
  return { chaos };
}
