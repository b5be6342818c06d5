import type { AgentTarget, MessageInSession } from '../types/agent.ts';
import { type PythonObject, isPythonObject, parsePythonJson, pythonText } from './python-json.ts';
import { fillTemplate, type FilledTemplate } from './request-template.ts';
import { sessionPlaces, withSession } from './session-places.ts';
import { structuredFields } from './structured-input.ts';

/** What goes over the wire for one prompt. */
export interface AgentRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

export type HttpAgent = Extract<AgentTarget, { readonly kind: 'http' }>;

/** GET and DELETE carry the prompt in the query, all other methods in the body. Secrets are not in place yet. */
export function agentRequest(agent: HttpAgent, prompt: string, session?: MessageInSession): AgentRequest {
  const { method } = agent;
  const url = withSession(agent.url, session);
  const headers = mapValues(agent.headers, (value) => withSession(value, session));
  const query = mapValues(agent.query, (value) => withSession(value, session));
  const inQuery = method === 'GET' || method === 'DELETE';
  const declared = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  const filled = fill(agent, prompt, {
    session,
    mayBeQuery: inQuery || declared === undefined || declared.startsWith(CONTENT_TYPES.query),
  });
  if (inQuery) {
    return { method, url: withQuery(url, { ...query, ...queryOf(filled) }), headers, body: null };
  }
  const type = declared === undefined ? { 'content-type': CONTENT_TYPES[filled.kind] } : {};
  return { method, url: withQuery(url, query), headers: { ...type, ...headers }, body: filled.text };
}

const CONTENT_TYPES = {
  json: 'application/json',
  query: 'application/x-www-form-urlencoded',
  text: 'text/plain; charset=utf-8',
} as const satisfies Record<FilledTemplate['kind'], string>;

function fill(
  { requestTemplate, parseStructuredInput }: HttpAgent,
  prompt: string,
  { session, mayBeQuery }: { readonly session: MessageInSession | undefined; readonly mayBeQuery: boolean },
): FilledTemplate {
  if (requestTemplate === null) return { kind: 'json', text: JSON.stringify({ input: prompt }) };
  const fields = parseStructuredInput ? structuredFields(prompt) : new Map<string, string>();
  const places = session === undefined ? {} : { session: sessionPlaces(requestTemplate, session) };
  return fillTemplate(requestTemplate, { prompt, fields, mayBeQuery, ...places });
}

function mapValues(
  texts: Readonly<Record<string, string>>,
  map: (text: string) => string,
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, map(text)]));
}

/** Parameters that a filled template names; a text without any is the parameter `q`. */
function queryOf({ kind, text }: FilledTemplate): Readonly<Record<string, string>> {
  if (kind === 'query') return Object.fromEntries(new URLSearchParams(text));
  const value = kind === 'json' ? parsePythonJson(text) : undefined;
  return value !== undefined && isPythonObject(value) ? textsOf(value) : { q: text };
}

function textsOf(object: PythonObject): Readonly<Record<string, string>> {
  return Object.fromEntries([...object].map(([key, value]) => [key, pythonText(value)]));
}

function withQuery(url: string, query: Readonly<Record<string, string>>): string {
  const added = new URLSearchParams(query).toString();
  if (added === '') return url;
  const [base = '', hash] = url.split('#', 2);
  const joint = !base.includes('?') ? '?' : base.endsWith('?') || base.endsWith('&') ? '' : '&';
  return `${base}${joint}${added}${hash === undefined ? '' : `#${hash}`}`;
}
