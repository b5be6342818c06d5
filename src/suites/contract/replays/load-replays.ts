import { resolve } from 'node:path';
import type { ImporterType } from '../../../plugin/importer-type.ts';
import type { Pointer } from '../../../source/place-tree.ts';
import type { SourceDocument } from '../../../source/toml-document.ts';
import type { RecordedResponse } from '../../../types/chaos.ts';
import type { Issue } from '../../../types/issue.ts';
import type { JsonObject } from '../../../types/json.ts';
import { numberAt, tableAt, tablesAt, textAt, valueAt } from '../../../workflow/raw-data.ts';
import { type Report, toIssue } from '../../../workflow/report.ts';
import { requiredText } from '../../../workflow/required-values.ts';
import { openNamedDocument } from '../open-named-document.ts';
import type { ContractPlaces } from '../reading.ts';
import { loadRules, type RulesOptions } from './load-rules.ts';
import type { LoadedSession, NamedRules, SessionPlace } from './loaded-session.ts';
import { sessionsOfRuns } from './sessions-of-runs.ts';
import { sessionFileSchema } from './replay-schema.ts';

export interface LoadReplaysOptions extends ContractPlaces, RulesOptions {
  /** Formats that plug-ins bring. */
  readonly importers: ReadonlyMap<string, ImporterType>;
  /** Called again and again in a long search. */
  readonly step: () => void | Promise<void>;
}

export interface LoadedReplays {
  readonly sessions: readonly LoadedSession[];
  readonly issues: readonly Issue[];
}

/** Loads the recorded sessions of a contract file: those in it, those in files that it names, and runs of exports. */
export async function loadReplays(document: SourceDocument, options: LoadReplaysOptions): Promise<LoadedReplays> {
  const replays = tableAt(document.data, 'replays');
  const issues: Issue[] = [];
  const sessions: LoadedSession[] = [];
  const rules = new Map<string, Promise<NamedRules | null>>();
  const ownName = textAt(tableAt(document.data, 'contract'), 'name');
  /** Null: it has been told that there is no such contract. */
  const rulesOf = async (holder: SessionPlace): Promise<NamedRules | null | 'own'> => {
    const name = textAt(holder.table, 'contract') ?? 'default';
    if (name === 'default' || name === ownName) return 'own';
    const contract = rules.get(name) ?? loadRules(name, holder, { ...options, ownName, issues });
    rules.set(name, contract);
    return contract;
  };
  for (const { index, table } of tablesAt(replays, 'sessions')) {
    const place = ['replays', 'sessions', index];
    const opened = await openSession({ document, table, at: place }, options);
    issues.push(...opened.issues);
    if (opened.holder === null) continue;
    const { holder } = opened;
    const held = await rulesOf(holder);
    const read = readSession(holder, (found) => issues.push(toIssue(found, holder.document.locate)));
    if (held !== null) sessions.push({ ...read, rules: held === 'own' ? null : held });
  }
  for (const { index, table } of tablesAt(replays, 'sources')) {
    const runs = await sessionsOfRuns({ table, at: ['replays', 'sources', index], document }, options);
    issues.push(...runs.issues);
    sessions.push(...runs.sessions);
  }
  issues.push(...doubledIds(sessions));
  return { sessions, issues };
}

async function openSession(
  holder: SessionPlace,
  places: ContractPlaces,
): Promise<{ readonly holder: SessionPlace | null; readonly issues: readonly Issue[] }> {
  const { document, table, at } = holder;
  const file = textAt(table, 'file');
  if (file === undefined) return { holder, issues: [] };
  const opened = await openNamedDocument(resolve(places.folder, file), places, {
    what: 'a recorded session',
    fits: ({ data }) => valueAt(data, 'input') !== undefined,
    schema: sessionFileSchema,
  });
  const issues = opened.issues.map((issue) => ({ ...issue, at: issue.at ?? document.locate([...at, 'file']) }));
  const isSound = opened.document !== null && !issues.some(({ severity }) => severity === 'error');
  if (opened.document === null || !isSound) return { holder: null, issues };
  return { holder: { document: opened.document, table: opened.document.data, at: [] }, issues };
}

function readSession({ document, table, at }: SessionPlace, report: Report): Omit<LoadedSession, 'rules'> {
  const listed = valueAt(table, 'tool_responses') !== undefined;
  if (valueAt(table, 'context') !== undefined) {
    report({
      code: 'unsupported_part',
      severity: 'warning',
      message: 'The subject is not told the "context" of a session: it is asked its input alone.',
      at: [...at, 'context'],
      part: 'key',
    });
  }
  return {
    id: requiredText(table, 'id', at, report, 'Reports call the session by it.'),
    name: textAt(table, 'name') ?? null,
    source: textAt(table, 'source') ?? 'manual',
    input: requiredText(table, 'input', at, report, 'It is what the subject was asked.'),
    expectedFailure: textAt(table, 'expected_failure') ?? null,
    recorded: listed ? tablesAt(table, 'tool_responses').map(responseIn(at, report)) : null,
    at: document.locate(at),
  };
}

function responseIn(at: Pointer, report: Report) {
  return ({ index, table }: { readonly index: number; readonly table: JsonObject }): RecordedResponse => {
    const place = [...at, 'tool_responses', index];
    return {
      tool: requiredText(table, 'tool', place, report, 'It is the tool that answered.'),
      status: numberAt(table, 'status') ?? 200,
      response: valueAt(table, 'response') ?? null,
      delayMs: numberAt(table, 'latency_ms') ?? 0,
    };
  };
}

function doubledIds(sessions: readonly LoadedSession[]): readonly Issue[] {
  const doubled = sessions.filter(({ id }, at) => id !== '' && sessions.findIndex((one) => one.id === id) < at);
  return doubled.map(({ id, at }) => ({
    code: 'duplicate_id',
    severity: 'error',
    message: `There is another session "${id}".`,
    at,
    hint: 'Give each session an id of its own.',
  }));
}
