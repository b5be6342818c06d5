import type { Answer, HttpRequest } from '../plugin/request.ts';
import { BoundedMemo } from '../policy/bounded-memo.ts';
import { type CanonicalUrl, canonicalUrl } from '../policy/canonical-url.ts';
import type { Patterns } from '../policy/path-pattern.ts';
import { compileUrlPatterns } from '../policy/url-pattern.ts';
import { visibleText } from '../policy/visible-text.ts';
import type { MockHttp } from '../types/scenario.ts';
import { brokenAnswer, errorAnswer, keptAnswer, valueAnswer } from './answers.ts';

const BODY_BYTES = 1 << 20;

/**
 * Answers for `[[world.http]]`: the first entry whose method and URL fit. URLs are compared in canonical form, with the
 * patterns of `[policy.http]`.
 */
export function mockHttp(mocks: readonly MockHttp[]): (request: HttpRequest) => Answer {
  const compiled = mocks.map((mock) => ({
    method: mock.method.toUpperCase(),
    urls: compileUrlPatterns([mock.url]),
    answer: keptAnswer(valueAnswer(httpOutput(mock), 'mock', mock.delayMs * 1000)),
  }));

  const found = new BoundedMemo<Answer>();

  return (request) => {
    const bytes = request.body === null ? 0 : Buffer.byteLength(request.body);
    if (bytes > BODY_BYTES) return errorAnswer(`request body ${bytes} bytes exceeds cap of ${BODY_BYTES}`, 'mock');
    const key = `${request.method} ${request.url}`;
    return found.get(key) ?? found.set(key, keptAnswer(find(compiled, request)));
  };
}

interface CompiledMock {
  readonly method: string;
  readonly urls: Patterns<CanonicalUrl | null>;
  readonly answer: Answer;
}

function find(mocks: readonly CompiledMock[], request: HttpRequest): Answer {
  const url = canonicalUrl(request.url);
  if ('problem' in url) return errorAnswer(`${visibleText(request.url)}: ${url.problem}`, 'mock');
  const method = request.method.toUpperCase();
  const mock = mocks.find((entry) => (entry.method === '*' || entry.method === method) && entry.urls.matches(url));
  if (mock !== undefined) return mock.answer;
  return brokenAnswer(
    `Nothing answers http_request \`${visibleText(method)} ${visibleText(request.url)}\`. ` +
      `Declare [[world.http]] with method = "${visibleText(method)}" and a url that covers it.`,
  );
}

function httpOutput(mock: MockHttp) {
  const headers = Object.fromEntries(Object.entries(mock.headers).map(([name, value]) => [name.toLowerCase(), value]));
  return { status: mock.status, headers, body: mock.body, bytes: Buffer.byteLength(mock.body) };
}
