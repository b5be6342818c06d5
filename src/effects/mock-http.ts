import { type CompiledHttpMatch, compileHttpMatch } from '../matching/http-match.ts';
import type { Answer, HttpRequest } from '../plugin/request.ts';
import { BoundedMemo } from '../policy/bounded-memo.ts';
import { canonicalUrl } from '../policy/canonical-url.ts';
import { visibleText } from '../text/visible-text.ts';
import type { SecretSource } from '../types/workflow.ts';
import type { HttpError, HttpReply, MockHttp } from '../types/mock.ts';
import { secretFlags } from '../values/secret-names.ts';
import { countWork } from '../values/work.ts';
import { brokenAnswer, errorAnswer, keptAnswer, valueAnswer } from './answers.ts';
import { type MockSlots, type MockUses, type ServedMock, serveMock, takeAnswer } from './mock-uses.ts';
import { badUrlText, httpErrorText } from './outside-errors.ts';

const BODY_BYTES = 1 << 20;
/** What it takes to compare a URL with a mock's. */
const TARGET_WORK = 16;

/** Gives the answer to a request to this origin. */
type HttpAnswer = (origin: string) => Answer;

interface Compiled extends ServedMock<HttpAnswer>, CompiledHttpMatch {}

/** What a method and a URL lead to, whatever else a request says. */
type Target =
  | { readonly origin: string; readonly mocks: readonly Compiled[] }
  /** No request can go there. */
  | { readonly refusal: Answer };

/** Answers for `[[world.http]]`: the first entry that fits and has a reply left. URLs are compared in canonical form. */
export function mockHttp(
  mocks: readonly MockHttp[],
  slots: MockSlots,
  secrets: readonly SecretSource[] = [],
): (request: HttpRequest, uses: MockUses) => Answer {
  const compiled = mocks.map((mock) => ({
    ...compileHttpMatch(mock.match, '[[world.http]]'),
    ...serveMock(mock, slots, { answer: replyAnswer, afterLast: failure('refused', 0) }),
  }));
  const targets = new BoundedMemo<Target>();

  return (request, uses) => {
    const bytes = request.body === null ? 0 : Buffer.byteLength(request.body);
    if (bytes > BODY_BYTES) return errorAnswer(`request body ${bytes} bytes exceeds cap of ${BODY_BYTES}`, 'mock');
    const key = `${request.method} ${request.url}`;
    const target = targets.get(key) ?? targets.set(key, findTarget(compiled, request));
    if ('refusal' in target) return target.refusal;
    const answer = takeAnswer<Compiled, HttpAnswer>(target.mocks, uses, (mock) => mock.fitsContent(request));
    return answer?.(target.origin) ?? unanswered(request, target.mocks.length > 0, secrets);
  };
}

function findTarget(mocks: readonly Compiled[], { method, url }: HttpRequest): Target {
  const requestUrl = canonicalUrl(url);
  countWork(mocks.length * TARGET_WORK);
  if ('problem' in requestUrl) return { refusal: keptAnswer(errorAnswer(badUrlText(url, requestUrl), 'mock')) };
  return { origin: requestUrl.origin, mocks: mocks.filter((mock) => mock.fitsTarget(method, requestUrl)) };
}

function unanswered(
  { method, url, headers }: HttpRequest,
  isTargeted: boolean,
  secrets: readonly SecretSource[],
): Answer {
  const word = visibleText(method.toUpperCase());
  const what = `Nothing answers http_request \`${word} ${visibleText(url)}\``;
  const declare = isTargeted
    ? `${what} with these headers and this body, or its mocks are used up. Declare one more [[world.http]] that fits`
    : `${what}. Declare [[world.http]] with method = "${word}" and a url that covers it`;
  const flags = [`--allow-net=${hostOf(url)}`, ...secretFlags(headers, secrets)].join(' and ');
  return brokenAnswer(`${declare}, or allow the real request with ${flags}.`);
}

function hostOf(url: string): string {
  const canonical = canonicalUrl(url);
  return 'problem' in canonical ? 'HOST' : new URL(canonical.origin).host;
}

function replyAnswer(reply: HttpReply): HttpAnswer {
  if (reply.error !== undefined) return failure(reply.error, reply.delayMs);
  const answer = keptAnswer(valueAnswer(httpOutput(reply), 'mock', reply.delayMs * 1000));
  return () => answer;
}

function failure(error: HttpError, delayMs: number): HttpAnswer {
  const answers = new BoundedMemo<Answer>();
  return (origin) =>
    answers.get(origin) ??
    answers.set(origin, keptAnswer(errorAnswer(httpErrorText(error, origin), 'mock', 'tool', delayMs * 1000)));
}

function httpOutput({ status, headers: declared, body }: HttpReply) {
  const headers = Object.fromEntries(Object.entries(declared).map(([name, value]) => [name.toLowerCase(), value]));
  return { status, headers, body, bytes: Buffer.byteLength(body) };
}
