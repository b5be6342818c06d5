import type { McpQuestion, McpResume } from '../../plugin/mcp-request.ts';
import type { Json, JsonObject } from '../../types/json.ts';
import { isJsonObject } from '../../values/is-json.ts';
import { jsonText } from '../../values/json-text.ts';
import type { McpAnswers } from '../mcp-answers.ts';

/** What a server is told that passk can do for it. There are no folders that it may look at, which it is told, too. */
export function capabilitiesOf({ sampling, elicitation }: McpAnswers) {
  return { roots: {}, ...(sampling && { sampling: {} }), ...(elicitation && { elicitation: { form: {} } }) };
}

/** Characters of what a server asks, all questions of a round together. */
const LONGEST = 1 << 18;
/** Questions of one round. */
const MOST_QUESTIONS = 16;

/** Questions as the newest revision has them: by key, in the result of the request. */
export type Asked =
  | { readonly questions: readonly McpQuestion[]; readonly constants: Readonly<Record<string, JsonObject>> }
  | { readonly problem: string };

/** Reads them; what has but one answer is answered here. */
export function readQuestions(inputRequests: Readonly<Record<string, unknown>>, answers: McpAnswers): Asked {
  const entries = Object.entries(inputRequests);
  if (entries.length > MOST_QUESTIONS) return { problem: `asked ${entries.length} questions at once` };
  const questions: McpQuestion[] = [];
  const constants: Record<string, JsonObject> = {};
  for (const [key, asked] of entries) {
    const { method, params = {} } = asked as { readonly method?: unknown; readonly params?: unknown };
    if (method === 'roots/list') {
      constants[key] = { roots: [] };
      continue;
    }
    const question = questionOf(key, method, params, answers);
    if ('problem' in question) return question;
    questions.push(question);
  }
  if (jsonText(questions as unknown as Json).length > LONGEST)
    return { problem: `asked more than ${LONGEST} characters` };
  return { questions, constants };
}

/** One question, if it can be answered. Texts follow the server's name. */
export function questionOf(
  key: string,
  method: unknown,
  params: unknown,
  answers: McpAnswers,
): McpQuestion | { readonly problem: string } {
  const isObject = isJsonObject(params as Json);
  if (method === 'sampling/createMessage' && isObject) {
    if (!answers.sampling) return { problem: NO_SAMPLING };
    return { key, kind: 'sampling', params: params as JsonObject };
  }
  if (method === 'elicitation/create' && isObject) {
    if ((params as JsonObject)['mode'] === 'url') return { problem: NO_ADDRESSES };
    if (!answers.elicitation) return { problem: NO_ELICITATION };
    return { key, kind: 'elicitation', params: params as JsonObject };
  }
  return { problem: `asked for ${String(method)}, which passk does not know` };
}

const NO_SAMPLING =
  'asked for a model (sampling), and none answers it: name a backend with `sampling` in its [[mcp_servers]] or [[world.mcp]] entry';
const NO_ELICITATION =
  'asked a user (elicitation), and nobody answers it: declare `elicitations` for it in [[world.mcp]], which may be empty';
const NO_ADDRESSES = 'asked a user to open an address (elicitation in url mode), which passk does not do';

/** What a server was refused that asked for what a client never said it has; null: something else. */
export function missingCapability(code: number, data: unknown): string | null {
  if (code !== MISSING_CAPABILITY) return null;
  const text = JSON.stringify(data ?? '');
  if (text.includes('sampling')) return NO_SAMPLING;
  return text.includes('"url"') ? NO_ADDRESSES : NO_ELICITATION;
}

/** Of revision 2026-07-28. */
const MISSING_CAPABILITY = -32_021;

/** The first question that has no answer; null: all have one. */
export function unansweredOf({ answers }: McpResume): string | null {
  for (const answer of Object.values(answers)) if ('problem' in answer) return answer.problem;
  return null;
}
