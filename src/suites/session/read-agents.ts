import type { Pointer } from '../../source/place-tree.ts';
import { hintFor } from '../../text/did-you-mean.ts';
import type { JsonObject } from '../../types/json.ts';
import { ATTACK_CHANNELS } from '../../types/release/origin.ts';
import type { AgentTurn, AgentVariant, CannedAgent, SessionSubject, ToolCall } from '../../types/session.ts';
import type { DeclaredWorld } from '../../types/sessions/declared-world.ts';
import { numberAt, tableAt, tablesAt, tablesAs, textAt, textsAt, valueAt } from '../../workflow/raw-data.ts';
import type { Report } from '../../workflow/report.ts';

/** An agent that is tried on a task. */
export interface NamedAgent {
  readonly name: string;
  readonly agent: SessionSubject['agent'];
  /** The checks that must fail; null: it is no control. */
  readonly fails: readonly string[] | null;
  readonly at: Pointer;
}

/** What a file, or the one that takes its place, says of agents for all tasks. */
export interface FileAgents {
  /** Those that are tried on every task. */
  readonly everywhere: readonly NamedAgent[];
  /** True: there are such agents, although those with errors are none that could be tried. */
  readonly hasAgents: boolean;
}

/**
 * The agents of a task that fits its schema: those that are tried on every task, then its own. Tells names that are taken, and
 * that there is nobody.
 */
export function readAgents(
  task: JsonObject,
  { everywhere, hasAgents }: FileAgents,
  at: Pointer,
  report: Report,
): readonly NamedAgent[] {
  const taken = new Set(everywhere.map(({ name }) => name));
  const own = readOwnAgents(task, taken, at, report);
  if (!hasAgents && own.length === 0) {
    report({
      code: 'no_agent',
      message: 'Nobody is tried on this task.',
      at,
      hint: 'Give it [[tasks.agents]], or the file [[agents]].',
    });
  }
  return [...everywhere, ...own];
}

function readOwnAgents(task: JsonObject, taken: Set<string>, at: Pointer, report: Report): readonly NamedAgent[] {
  return tablesAt(task, 'agents').map(({ table, index }) => {
    const place = [...at, 'agents', index];
    const name = textAt(table, 'name') ?? '';
    if (taken.has(name)) {
      report({ code: 'duplicate_name', message: `The task has another agent "${name}".`, at: [...place, 'name'] });
    }
    taken.add(name);
    const turns = readTurns(table);
    const fails = valueAt(table, 'fails') === undefined ? null : textsAt(table, 'fails');
    const words = new Set(textsAt(table, 'obeys'));
    const obeys = ATTACK_CHANNELS.filter((channel) => words.has(channel));
    const agent: CannedAgent = { kind: 'canned', turns, ...(obeys.length > 0 && { obeys }) };
    return { name, agent, fails, at: place };
  });
}

/** The canned answers that a table lists. */
export function readTurns(table: JsonObject): readonly AgentTurn[] {
  return tablesAs(table, 'turns', readTurn);
}

function readTurn(turn: JsonObject): AgentTurn {
  const variants = tablesAs(turn, 'variants', readVariant);
  return {
    repeat: valueAt(turn, 'repeat') === true,
    variants: variants.length > 0 ? variants : [readVariant(turn)],
  };
}

function readVariant(table: JsonObject): AgentVariant {
  return {
    weight: numberAt(table, 'weight') ?? 1,
    calls: readCalls(table),
    says: textAt(table, 'says') ?? null,
    ...usageOf(table),
  };
}

/** {}: the table does not say. */
function usageOf(table: JsonObject): Pick<AgentVariant, 'usage'> {
  const [promptTokens, completionTokens] = [numberAt(table, 'prompt_tokens'), numberAt(table, 'completion_tokens')];
  if (promptTokens === undefined && completionTokens === undefined) return {};
  return { usage: { promptTokens: promptTokens ?? 0, completionTokens: completionTokens ?? 0 } };
}

/** Tells the first canned turn of each agent that does not say what it takes, where a session has a limit of tokens. */
export function checkTokens(agents: readonly NamedAgent[], report: Report): void {
  for (const { name, agent, at } of agents) {
    const turns = agent.kind === 'canned' ? agent.turns : agent.kind === 'outside' ? (agent.model?.turns ?? []) : [];
    const silent = turns.findIndex(({ variants }) => variants.some(({ usage }) => usage === undefined));
    if (silent === -1) continue;
    report({
      code: 'unknown_tokens',
      message: `Sessions have a limit of tokens, and turn ${silent + 1} of "${name}" does not say what it takes.`,
      at: [...at, 'turns', silent],
      hint: 'Say it of every answer: completion_tokens = 20, and prompt_tokens.',
    });
  }
}

/** The calls that a table lists. */
export function readCalls(table: JsonObject): readonly ToolCall[] {
  return tablesAs(table, 'calls', (call) => ({ name: textAt(call, 'tool') ?? '', args: tableAt(call, 'args') }));
}

/** Tells calls of tools that the world does not have. Agents may make such calls, gold ones may not. */
export function checkGoldNames(
  calls: readonly ToolCall[],
  { tools }: DeclaredWorld,
  at: Pointer,
  report: Report,
): void {
  const names = tools.map(({ name }) => name);
  for (const [index, { name }] of calls.entries()) {
    if (names.includes(name)) continue;
    report({
      code: 'unknown_tool',
      message: `The world has no tool "${name}".`,
      at: [...at, 'calls', index, 'tool'],
      hint: hintFor(name, names, 'tools'),
    });
  }
}
