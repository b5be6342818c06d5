import { hiddenProblem } from '../source/hidden-problem.ts';
import { parseJsonDocument } from '../source/json-document.ts';
import { plainJsonText } from '../source/plain-json-text.ts';
import { isTable } from '../source/json-schema.ts';
import { displayName, readSource } from '../source/source-file.ts';
import type { SourceDocument } from '../source/toml-document.ts';
import type { Issue } from '../types/issue.ts';
import type { Json, JsonObject } from '../types/json.ts';
import { visibleText } from '../text/visible-text.ts';
import { tableAt, textAt, textsAt, valueAt } from '../workflow/raw-data.ts';
import { toIssue } from '../workflow/report.ts';
import { findFile, type Places, SCENARIO_DIR } from './places.ts';

export interface McpConfig {
  /** As tables of a workflow's `mcp_servers`. */
  readonly servers: readonly JsonObject[];
  readonly issues: readonly Issue[];
}

/**
 * The servers of the file that a scenario's `workflow.mcp_config` names, which is what clients of MCP read: `mcpServers` (or
 * `servers`) by name, each a `command` with `args` and `env`, or a `url` (`httpUrl`, `serverUrl`) with `headers`. `${NAME}` in
 * the values of `env` and `headers` is a variable, as in those clients. Servers that are `disabled` are passed over, and so is
 * what only clients need. Comments and commas behind the last value are read as editors read them.
 */
export function readMcpConfig(scenario: SourceDocument, places: Places): McpConfig {
  const name = textAt(tableAt(scenario.data, 'workflow'), 'mcp_config');
  if (name === undefined) return { servers: [], issues: [] };
  const refuse = (code: string, message: string, hint: string): McpConfig => ({
    servers: [],
    issues: [toIssue({ code, message, at: PLACE, hint }, scenario.locate)],
  });
  const found = findFile(name, places, null);
  if (found === null || found.climbsTooFar) {
    const hint = 'Paths start at the folder of the scenario file; the working directory is tried last.';
    return refuse('missing_mcp_config', `There is no file "${name}".`, hint);
  }
  const read = readSource(found.path, places);
  if (!read.ok) return { servers: [], issues: read.issues };
  const parsed = parseJsonDocument({ ...read.source, text: plainJsonText(read.source.text) });
  if (!parsed.ok) {
    const isDouble = parsed.issues[0]?.code === 'duplicate_key';
    const what = isDouble ? 'JSON in which each key stands once' : 'JSON';
    return { servers: [], issues: [hiddenProblem(read.source, what, parsed.issues)] };
  }
  const { data } = parsed.document;
  const listed = valueAt(data, 'mcpServers') ?? valueAt(data, 'servers');
  const file = displayName(found.path, places.root);
  if (!isTable(listed)) return refuse('bad_mcp_config', `"${file}" has no table "mcpServers".`, FORM);
  const servers: JsonObject[] = [];
  const issues: Issue[] = [];
  for (const [server, entry] of Object.entries(listed)) {
    const table = isTable(entry) ? entry : {};
    if (valueAt(table, 'disabled') === true || valueAt(table, 'enabled') === false) continue;
    const problem = problemOf(table);
    if (problem === null) {
      const taken = serverOf(server, table);
      servers.push(taken);
      const warn = (code: string, what: string, hint: string): void => {
        const message = `Server "${server}" of "${file}" ${what}.`;
        issues.push(toIssue({ code, severity: 'warning', message, at: PLACE, hint }, scenario.locate));
      };
      const unfilled = unfilledIn(taken);
      if (unfilled !== undefined) warn('unfilled_variable', `gets "${unfilled}" as it stands`, FILLED);
      const unread = UNREAD.find((key) => valueAt(table, key) !== undefined && urlOf(table) === undefined);
      if (unread !== undefined) warn('unread_key', `is started without its "${unread}"`, STARTED);
    } else issues.push(...refuse('bad_mcp_config', `Server "${server}" of "${file}" ${problem}.`, FORM).issues);
  }
  return { servers, issues };
}

/** Null: passk can speak with it. */
function problemOf(table: JsonObject): string | null {
  const odd = ['disabled', 'enabled'].find((key) => typeof (valueAt(table, key) ?? false) !== 'boolean');
  if (odd !== undefined) return `has "${odd}", which is neither true nor false`;
  const command = valueAt(table, 'command');
  const url = urlOf(table);
  const type = valueAt(table, 'type') ?? valueAt(table, 'transport');
  if (typeof command === 'string' && command !== '' && url === undefined) {
    if (!isTexts(valueAt(table, 'args') ?? [])) return 'has "args" that are no list of texts';
    // Paths may hold spaces, names of programs do not.
    if (/^[^/$\s]\S*\s/.test(command)) return 'has a "command" with arguments in it, which stand in "args"';
    return isTextTable(valueAt(table, 'env') ?? {}) ? null : 'has an "env" that is no table of texts';
  }
  if (typeof url !== 'string' || command !== undefined) return 'needs either a "command" or a "url"';
  if (typeof type === 'string' && !HTTP_TYPES.has(type.toLowerCase().replaceAll(/[-_]/g, ''))) {
    return `speaks ${type.toLowerCase() === 'sse' ? 'SSE' : visibleText(type)}, which passk does not; ${SPOKEN}`;
  }
  return isTextTable(valueAt(table, 'headers') ?? {}) ? null : 'has "headers" that are no table of texts';
}

/** Gemini's command line and Windsurf have words of their own for it. */
function urlOf(table: JsonObject): Json | undefined {
  return valueAt(table, 'url') ?? valueAt(table, 'httpUrl') ?? valueAt(table, 'serverUrl');
}

function serverOf(name: string, table: JsonObject): JsonObject {
  const url = urlOf(table);
  if (typeof url === 'string') return { name, url, headers: withSecrets(tableAt(table, 'headers')) };
  const args = (valueAt(table, 'args') ?? []) as readonly string[];
  return { name, command: [textAt(table, 'command') ?? '', ...args], env: withSecrets(tableAt(table, 'env')) };
}

/** A place that a client would fill in, and passk does not; undefined: there is none. */
function unfilledIn(server: JsonObject): string | undefined {
  const texts = [textAt(server, 'url') ?? '', ...textsAt(server, 'command')];
  for (const key of ['env', 'headers']) texts.push(...Object.values(tableAt(server, key)).map(String));
  return texts.flatMap((text) => text.match(/\$\{[^}]*\}/g) ?? []).find((place) => place !== SCENARIO_DIR);
}

/** `${NAME}`, `${env:NAME}` and `${NAME:-default}` stand for variables in clients, and for secrets here, which have no default. */
function withSecrets(values: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      key,
      String(value).replace(/\$\{(?:env:)?([A-Za-z_]\w*)(?::-[^}]*)?\}/g, '{{secret:$1}}'),
    ]),
  );
}

function isTexts(value: Json): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

function isTextTable(value: Json): boolean {
  return isTable(value) && Object.values(value).every((one) => typeof one === 'string');
}

const PLACE = ['workflow', 'mcp_config'];

/** What clients call streamable HTTP, without its hyphens. */
const HTTP_TYPES: ReadonlySet<string> = new Set(['http', 'streamablehttp']);
const SPOKEN = 'streamable HTTP and programs it does';

/** What clients start a program with, and passk does not. */
const UNREAD = ['cwd', 'envFile'];
const STARTED =
  'It runs in the folder of the scenario, with the variables of "env" alone: name its files by ${SCENARIO_DIR} or whole paths.';

const FILLED =
  'Write what it stands for: passk fills in ${NAME} under "env" and "headers", and ${SCENARIO_DIR} in commands.';

const FORM = 'Write { "mcpServers": { "files": { "command": "npx", "args": ["-y", "some-server"] } } }, or a "url".';
