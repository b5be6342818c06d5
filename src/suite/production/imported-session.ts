import { createHash } from 'node:crypto';
import { stringify } from 'smol-toml';
import { SCRUB_KINDS, type Scrubber } from '../../pii/scrubber.ts';
import type { Json, JsonObject } from '../../types/json.ts';
import { RECORDED_TOOLS } from '../../types/sessions/recorded-tools.ts';
import { parseJson } from '../../values/exact-json.ts';
import { isJsonObject } from '../../values/is-json.ts';
import type { ConsentPolicy } from './consent.ts';
import type { TraceDraft } from './trace-draft.ts';

/** A trace as files that run. */
export interface ImportedSession {
  /** Of what stands in it, but for tokens: the same trace has the same id with any key. */
  readonly id: string;
  /** The session, TOML. */
  readonly session: string;
  /** What its tools were answered, JSON. */
  readonly tools: string;
}

export interface SessionParts {
  readonly scrubber: Scrubber;
  readonly consent: ConsentPolicy['consent'];
  /** The day, such as 2026-11-25. */
  readonly today: string;
  /** What the tools are, by name, where the user says it. */
  readonly definitions: ReadonlyMap<string, JsonObject>;
}

const LONGEST_NAME = 80;
const HEAD = '# Imported by `passk import`. Edit it: an import never overwrites a file.\n';
const BASE64 = /[A-Za-z0-9+/_-]{24,}={0,2}/g;
/** A token with its kind. */
const TOKEN = new RegExp(`(${SCRUB_KINDS.join('|')})_[0-9a-f]{16}`, 'g');
/** Calls of a session beyond those that were recorded. */
const MORE_CALLS = 50;

/** Writes a trace as a session with the answers of its tools, without personal data and secrets. */
export function importedSession(draft: TraceDraft, parts: SessionParts): ImportedSession {
  const { scrubber } = parts;
  scrubber.takeFound();
  // Everything that stands in either file goes through the scrubber at once, so that arguments and answers still join.
  const text = scrubber.json(JSON.stringify(draft, bigintAsNumber));
  const clean = parseJson(text) as unknown as TraceDraft;
  const removed = scrubber.takeFound().length;
  const id = contentId(text);
  const tools = toolsOf(clean, parts.definitions);
  return {
    id,
    session: HEAD + stringify(sessionOf(clean, { ...parts, id, removed })),
    tools: `${JSON.stringify({ schema: RECORDED_TOOLS, tools, answers: answersOf(clean) }, null, 1)}\n`,
  };
}

/** Numbers that a double cannot hold are written as texts: their digits count. */
function bigintAsNumber(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

/** Tokens differ with the key, so they are numbered in the order in which they come, in base64 as well. */
function contentId(clean: string): string {
  const numbers = new Map<string, number>();
  const text = clean.replaceAll(BASE64, unpacked).replaceAll(TOKEN, (token, kind: string) => {
    const number = numbers.get(token) ?? numbers.size;
    numbers.set(token, number);
    return `${kind}_${number}`;
  });
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** What is packed, where tokens are in it. */
function unpacked(packed: string): string {
  const inside = Buffer.from(packed, 'base64').toString('utf8').replaceAll(BASE64, unpacked);
  return inside.search(TOKEN) < 0 ? packed : inside;
}

function toolsOf({ answers }: TraceDraft, definitions: SessionParts['definitions']): readonly JsonObject[] {
  const seen = [...new Set(answers.map(({ tool }) => tool))].filter((name) => !definitions.has(name));
  return [...definitions.values(), ...seen.map((name) => ({ name, ...observed(name, answers) }))];
}

/** What can be said of a tool from its calls: the names of its arguments. */
function observed(name: string, answers: TraceDraft['answers']): JsonObject {
  const keys = new Set(answers.filter(({ tool }) => tool === name).flatMap(({ args }) => Object.keys(args)));
  return { parameters: { type: 'object', properties: Object.fromEntries([...keys].sort().map((key) => [key, {}])) } };
}

function answersOf({ answers }: TraceDraft): readonly JsonObject[] {
  return answers.map(({ tool, args, result, problem }) => ({
    tool,
    args,
    ...(problem === null ? { result } : { problem }),
  }));
}

function sessionOf(
  { traceId, format, task, passed, system, steps, answers }: TraceDraft,
  { id, removed, consent, today }: SessionParts & { readonly id: string; readonly removed: number },
): JsonObject {
  const [first, ...others] = steps;
  const changes = others.map(({ user }, at) => ({ after: at + 1, says: user }));
  const calls = steps.flatMap((step) => step.calls.map(callOf));
  return {
    name: `trace ${id}`,
    suite: 'regression',
    tags: ['imported', passed === null ? 'unjudged' : passed ? 'passed' : 'failed'],
    provenance: {
      source: { kind: 'trace', trace_id: traceId, reference: format },
      consent: { ...consent },
      scrub: { at: today, removed },
    },
    session: {
      world: `${id}.tools.json`,
      messages: steps.length,
      calls: answers.length + MORE_CALLS,
      ...(system !== null && { system }),
    },
    tasks: [
      {
        name: shortName(task),
        user: {
          opening: first?.user ?? '',
          ...(changes.length > 0 && { changes }),
          // What was said is said again, whatever the agent answers; then the user leaves.
          ends: ['(?s)^'],
        },
        // Calls of a run that failed are right for nobody.
        ...(passed !== false &&
          calls.length > 0 && { gold: { calls, match: 'superset', args: 'superset', counts: passed === true } }),
        agents: [
          {
            name: 'recorded',
            turns: steps.map((step) => ({
              ...(step.calls.length > 0 && { calls: step.calls.map(callOf) }),
              says: step.says,
            })),
          },
        ],
      },
    ],
  } as JsonObject;
}

function callOf({ name, args }: TraceDraft['steps'][number]['calls'][number]): JsonObject {
  return { tool: name, ...(isJsonObject(args as Json) && Object.keys(args as JsonObject).length > 0 && { args }) };
}

function shortName(task: string): string {
  const line = task.replace(/\s+/g, ' ').trim();
  return line.length <= LONGEST_NAME ? line || 'trace' : `${line.slice(0, LONGEST_NAME - 1).toWellFormed()}…`;
}
