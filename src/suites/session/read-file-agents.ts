import type { Places } from '../../scenario/places.ts';
import type { Pointer } from '../../source/place-tree.ts';
import { readSource } from '../../source/source-file.ts';
import type { Agent } from '../../types/agent.ts';
import type { Issue } from '../../types/issue.ts';
import type { JsonObject } from '../../types/json.ts';
import type { FunctionAgent, ModelAgent, ModuleAgent, OutsideAgent } from '../../types/session.ts';
import { tableAt, tablesAt, textAt } from '../../workflow/raw-data.ts';
import type { Report } from '../../workflow/report.ts';
import { requiredText } from '../../workflow/required-values.ts';
import { keyName } from '../contract/agent-parts.ts';
import { typeOf } from '../contract/read-target.ts';
import type { Reading } from '../contract/reading.ts';
import { namedCode } from '../../scenario/objects/named-code.ts';
import { fromRoot, namedFile } from '../../scenario/files/named-file.ts';
import { type NamedAgent, readTurns } from './read-agents.ts';
import { isModelAgent, readModelAgent } from './read-model-agent.ts';
import { readAgentsModel } from './read-agents-model.ts';
import { readOutsideAgent, wantsTools } from './read-outside-agent.ts';

/** The agents of a file that are tried on every task. Tells what cannot be called, and names that are taken. */
export function readFileAgents(
  data: JsonObject,
  from: Pick<AgentReading, 'system' | 'places' | 'reading'>,
): readonly NamedAgent[] {
  const { report } = from.reading;
  const taken = new Set<string>();
  return tablesAt(data, 'agents').flatMap(({ table, index }): readonly NamedAgent[] => {
    const at = ['agents', index];
    const name = textAt(table, 'name') ?? '';
    if (taken.has(name)) {
      report({ code: 'duplicate_name', message: `There is another agent "${name}".`, at: [...at, 'name'] });
    }
    taken.add(name);
    const agent = readFileAgent(table, { at, ...from });
    return agent === null ? [] : [{ name, agent, fails: null, at }];
  });
}

/** The only agent of a file. Canned answers and nothing else are an agent, too, and so is a function of a program. */
export function readOnlyAgent(
  data: JsonObject,
  from: Pick<AgentReading, 'system' | 'places' | 'reading'>,
): readonly NamedAgent[] {
  const at = ['agent'];
  const table = tableAt(data, 'agent');
  const isCanned = Object.keys(table).join() === 'turns';
  const agent: NamedAgent['agent'] | null = isCanned
    ? { kind: 'canned', turns: readTurns(table) }
    : (readFunction({ at, ...from }) ?? readFileAgent(table, { at, ...from }));
  return agent === null ? [] : [{ name: 'agent', agent, fails: null, at }];
}

function readFunction({ at, system, places, reading }: AgentReading): FunctionAgent | null {
  const code = namedCode(reading.document, at, places);
  return code === null ? null : { kind: 'function', code, system };
}

function readFileAgent(table: JsonObject, reading: AgentReading): ModelAgent | ModuleAgent | OutsideAgent | null {
  const {
    at,
    system,
    reading: { report },
  } = reading;
  if (isModelAgent(table)) return readModelAgent(table, { at, system, report });
  return typeOf(table) === 'module' ? readModule(table, reading) : readOther(table, reading);
}

interface AgentReading {
  readonly at: Pointer;
  readonly system: string | null;
  readonly places: Places;
  readonly reading: Reading;
}

function readOther(table: JsonObject, { at, system, reading }: AgentReading): OutsideAgent | null {
  const agent = readOutsideAgent(table, at, reading);
  if (agent === null) return null;
  const model = readAgentsModel(table, agent.target, { at, report: reading.report });
  const servesTools = wantsTools(table, agent.target);
  if (!servesTools) tellToolless(agent.target, { at, reading });
  return {
    kind: 'outside',
    agent,
    system,
    ...(servesTools && { servesTools: true }),
    ...(model !== null && { model }),
  };
}

/** Tools that nobody can call are called by nobody, so that whatever forbids a call holds. */
function tellToolless({ kind }: Agent['target'], { at, reading }: Pick<AgentReading, 'at' | 'reading'>): void {
  const isOutside = kind === 'http' || kind === 'command' || kind === 'python';
  if (!isOutside || tablesAt(reading.document.data, 'tools').length === 0) return;
  reading.report({
    code: 'tools_unserved',
    severity: 'warning',
    message: 'The agent is given no tools of the world: nothing tells it where they are.',
    at,
    hint: `Put {tools_url} or {tools_server} into request_template${kind === 'command' ? ', or say tools = "mcp"' : ''}.`,
  });
}

const MODULE_KEYS = ['name', 'type', 'module', 'export'];

function readModule(table: JsonObject, { at, system, places, reading }: AgentReading): ModuleAgent | null {
  const { report } = reading;
  for (const key of Object.keys(table).filter((one) => !MODULE_KEYS.includes(one))) {
    report({
      code: 'unused_key',
      message: `"${keyName(at, key)}" has no effect: a module is run in passk's own workers.`,
      at: [...at, key],
      part: 'key',
    });
  }
  const module = requiredText(table, 'module', at, report);
  if (module === '') return null;
  const found = namedFile(
    { name: module, at: [...at, 'module'], noun: 'module', code: 'missing_module' },
    places,
    report,
  );
  if (found === null) return null;
  const file = fromRoot(found, places);
  return { kind: 'module', file, exported: textAt(table, 'export') ?? 'default', system };
}

/** What agents are told before anything else; null: nothing. */
export function readSystem(
  data: JsonObject,
  { places, report, add }: { readonly places: Places; readonly report: Report; readonly add: (issue: Issue) => void },
): string | null {
  const session = tableAt(data, 'session');
  const [text, named] = [textAt(session, 'system'), textAt(session, 'system_file')];
  const at = ['session', 'system_file'];
  if (text !== undefined && named !== undefined) {
    report({ code: 'unused_key', message: 'There is "system" already.', at, part: 'key', hint: 'Keep one of them.' });
  }
  if (text !== undefined || named === undefined) return text ?? null;
  const found = namedFile({ name: named, at, noun: 'file', code: 'file_missing' }, places, report);
  if (found === null) return null;
  const read = readSource(found, places);
  if (read.ok) return read.source.text;
  for (const issue of read.issues) add(issue);
  return null;
}
