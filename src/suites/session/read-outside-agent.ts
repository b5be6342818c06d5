import type { Pointer } from '../../source/place-tree.ts';
import type { Agent, AgentTarget } from '../../types/agent.ts';
import type { JsonObject } from '../../types/json.ts';
import { MAX_CONCURRENCY } from '../../types/plan.ts';
import { didYouMean } from '../../text/did-you-mean.ts';
import { numberAt, textAt, valueAt } from '../../workflow/raw-data.ts';
import { keyName, readReset } from '../contract/agent-parts.ts';
import { DEFAULT_CONCURRENCY, DEFAULT_RETRIES } from '../contract/read-agent.ts';
import { callTimeoutMs, checkTimeouts, readTarget } from '../contract/read-target.ts';
import type { Reading } from '../contract/reading.ts';

/** An agent of `[[agents]]` that is no module; null when it cannot be called as it is described, which is reported. */
export function readOutsideAgent(table: JsonObject, at: Pointer, reading: Reading): Agent | null {
  const plain = readTarget(table, at, reading);
  const reset = readReset(table, at, reading);
  checkTimeouts(table, at, reading);
  tellMisspeltPlaces(table, at, reading);
  if (plain === null) return null;
  const target = withTemplate(plain, table);
  const isApart = valueAt(table, 'stateless') === true || knowsSessions(target);
  checkIdle(table, isApart, at, reading);
  if (!isApart && reset === null) warnOfMixing(target, at, reading);
  return {
    target,
    timeoutMs: callTimeoutMs(table),
    retries: numberAt(table, 'retries') ?? DEFAULT_RETRIES,
    reset: isApart ? null : reset,
    atOnce: isApart ? (numberAt(table, 'concurrency') ?? mostOf(target)) : null,
    isolation: 'trial',
    proxy: null,
  };
}

const PLACES = ['prompt', 'messages', 'session', 'system', 'tools_url', 'tools_server', 'model_url'];

/** Tells places of a template that are nearly those of a session: any other word stands for a line of the message. */
function tellMisspeltPlaces(table: JsonObject, at: Pointer, { report }: Reading): void {
  for (const [place, word = ''] of (textAt(table, 'request_template') ?? '').matchAll(/\{([A-Za-z_]\w*)\}/g)) {
    const meant = PLACES.includes(word) ? null : didYouMean(word, PLACES);
    if (meant === null) continue;
    report({
      code: 'unknown_place',
      severity: 'warning',
      message: `${place} stands for a line "${word}: …" of the message.`,
      at: [...at, 'request_template'],
      hint: `Did you mean {${meant}}?`,
    });
  }
}

/** A server takes as many sessions as the run asks for; of what passk starts, each call or connection is a process. */
function mostOf({ kind }: AgentTarget): number {
  return kind === 'http' ? MAX_CONCURRENCY : DEFAULT_CONCURRENCY;
}

function withTemplate(target: AgentTarget, table: JsonObject): AgentTarget {
  const requestTemplate = textAt(table, 'request_template');
  const responsePath = textAt(table, 'response_path');
  switch (target.kind) {
    case 'command':
      return {
        ...target,
        ...(requestTemplate !== undefined && { requestTemplate }),
        ...(responsePath !== undefined && { responsePath }),
      };
    case 'python':
      return { ...target, ...(requestTemplate !== undefined && { requestTemplate }) };
    default:
      return target;
  }
}

/** True: the tools of its sessions are served to the agent, which is told where in a place or a variable. */
export function wantsTools(table: JsonObject, target: AgentTarget): boolean {
  return textAt(table, 'tools') === 'mcp' || textsOf(target).some((text) => /\{tools_(?:url|server)\}/.test(text));
}

/** Texts with places. */
export function textsOf(target: AgentTarget): readonly string[] {
  const template = 'requestTemplate' in target ? (target.requestTemplate ?? '') : '';
  if (target.kind !== 'http') return [template];
  return [target.url, ...Object.values(target.headers), ...Object.values(target.query), template];
}

/** True: each message says which session it belongs to, or all that was said in it. */
function knowsSessions(target: AgentTarget): boolean {
  switch (target.kind) {
    case 'http':
      return textsOf(target).some((text) => text.includes('{session}')) || hasMessages(target.requestTemplate);
    case 'command':
      return target.requestTemplate?.includes('{session}') === true || hasMessages(target.requestTemplate);
    case 'python':
      // A name alone would not do: the next message may be answered by another process.
      return hasMessages(target.requestTemplate);
    case 'module':
    case 'function':
      return false;
  }
}

function hasMessages(template: string | null | undefined): boolean {
  return template?.includes('{messages}') === true;
}

/** Keys that say nothing, of which the reader might think otherwise. */
function checkIdle(table: JsonObject, isApart: boolean, at: Pointer, { report }: Reading): void {
  for (const key of isApart ? ['reset_endpoint', 'reset_function'] : ['concurrency']) {
    if (valueAt(table, key) === undefined) continue;
    const name = keyName(at, key);
    report({
      code: 'ignored_key',
      severity: 'warning',
      message: isApart
        ? `"${name}" has no effect: an agent that can tell sessions apart is never reset.`
        : `"${name}" has no effect: an agent that may keep state has one session at a time.`,
      at: [...at, key],
      part: 'key',
      hint: isApart
        ? 'Leave it away.'
        : 'Put {messages} or {session} into request_template, or say stateless = true where it keeps nothing.',
    });
  }
}

function warnOfMixing({ kind }: AgentTarget, at: Pointer, { report }: Reading): void {
  const session = kind === 'python' ? '' : ', nor which session it is in ({session})';
  report({
    code: 'sessions_mix',
    severity: 'warning',
    message: `The agent is not told what was said before ({messages})${session}, and nothing resets it.`,
    at,
    hint: 'Put one of them into request_template, give it a reset_endpoint, or say stateless = true.',
  });
}
