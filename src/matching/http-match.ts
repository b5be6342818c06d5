import type { HttpRequest } from '../plugin/request.ts';
import { type CanonicalUrl, canonicalUrl } from '../policy/canonical-url.ts';
import type { BodyMatch, HttpMatch } from '../types/mock.ts';
import type { Json } from '../types/json.ts';
import { holdsJson } from '../values/holds-json.ts';
import { countWork } from '../values/work.ts';
import { compilePattern } from './compile-pattern.ts';
import { compileTextMatch } from './text-match.ts';
import { compileUrlMatch } from './url-match.ts';
import { exactJsonIn } from '../values/json-in.ts';

/** A compiled test of HTTP requests, in two halves: the first can be remembered by method and URL. */
export interface CompiledHttpMatch {
  /** Method, URL and query fit. */
  readonly fitsTarget: (method: string, url: CanonicalUrl) => boolean;
  /** Headers and body fit. */
  readonly fitsContent: (request: HttpRequest) => boolean;
}

/** Compiles a test of HTTP requests. `owner` names it in errors. */
export function compileHttpMatch(match: HttpMatch, owner: string): CompiledHttpMatch {
  const { methods } = match;
  const url = match.url === undefined ? null : compileUrlMatch(match.url);
  const urlMatches = match.urlMatches === undefined ? null : compilePattern(match.urlMatches, `${owner} url_matches`);
  const hasQuery = match.query === undefined ? null : queryTest(match.query, owner);
  const hasHeaders = headersTest(match.headers, owner);
  const hasBody = bodyTest(match.body, owner);
  return {
    fitsTarget: (method, target) =>
      (methods.length === 0 || methods.includes(method.toUpperCase())) &&
      (url === null || url.matches(hasQuery === null ? target : withoutQuery(target))) &&
      (urlMatches === null || urlMatches(target.href)) &&
      (hasQuery === null || hasQuery(target)),
    fitsContent: (request) => hasHeaders(request) && hasBody(request.body),
  };
}

/** True when a request fits; never for a URL that no request can go to. */
export function fitsHttp(match: CompiledHttpMatch, request: HttpRequest): boolean {
  const url = canonicalUrl(request.url);
  return !('problem' in url) && match.fitsTarget(request.method, url) && match.fitsContent(request);
}

function withoutQuery({ origin, target }: CanonicalUrl): CanonicalUrl {
  const [path = ''] = target.split('?', 1);
  return { origin, target: path, href: origin + path };
}

function queryTest(query: NonNullable<HttpMatch['query']>, owner: string): (url: CanonicalUrl) => boolean {
  const wanted = Object.entries(query).map(([name, values]) => ({
    name,
    tests: values.map((value) => compileTextMatch(value, `${owner} query`)),
  }));
  return ({ target }) => {
    const at = target.indexOf('?');
    const parameters = new URLSearchParams(at < 0 ? '' : target.slice(at + 1));
    return wanted.every(({ name, tests }) => {
      const values = parameters.getAll(name);
      return tests.every((test) => values.some(test));
    });
  };
}

function headersTest(headers: HttpMatch['headers'], owner: string): (request: HttpRequest) => boolean {
  const wanted = Object.entries(headers).map(([name, value]) => ({
    name: name.toLowerCase(),
    test: compileTextMatch(value, `${owner} headers`),
  }));
  return (request) =>
    wanted.every(({ name, test }) =>
      Object.entries(request.headers).some(([header, value]) => header.toLowerCase() === name && test(value)),
    );
}

function bodyTest(match: BodyMatch, owner: string): (body: string | null) => boolean {
  const { equals, json } = match;
  const fits = compileTextMatch(
    {
      ...(match.contains === undefined ? {} : { contains: match.contains }),
      ...(match.matches === undefined ? {} : { matches: match.matches }),
    },
    `${owner} body_matches`,
  );
  return (body) => {
    const text = body ?? '';
    if (equals !== undefined && text !== equals) return false;
    return fits(text) && (json === undefined || holdsJson(parse(text), json));
  };
}

function parse(text: string): Json | undefined {
  countWork(text.length);
  // What is no JSON holds nothing.
  return exactJsonIn(text);
}
