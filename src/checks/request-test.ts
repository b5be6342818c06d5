import { compileHttpMatch, fitsHttp } from '../matching/http-match.ts';
import { fitsMcp } from '../matching/mcp-match.ts';
import { compileProcessMatch } from '../matching/process-match.ts';
import { canonicalPath } from '../policy/canonical-path.ts';
import type { RequestTest } from '../types/expected-request.ts';
import type { SentRequest } from './check.ts';

/** The word for a port's requests in a file. */
export const PORT_WORDS = { http: 'http', process: 'processes', mcp: 'mcp' } as const;

/** Compiles a test of one request that went out. */
export function compileRequestTest(test: RequestTest, owner: string): (sent: SentRequest) => boolean {
  const fits = contentTest(test, owner);
  const { node } = test;
  return (sent) => (node === undefined || sent.node === node) && fits(sent);
}

function contentTest(test: RequestTest, owner: string): (sent: SentRequest) => boolean {
  switch (test.port) {
    case 'http': {
      const match = compileHttpMatch(test.match, owner);
      return ({ request }) => request.port === 'http' && fitsHttp(match, request);
    }
    case 'process': {
      const fits = compileProcessMatch(test.match, plainPath, owner);
      return ({ request }) => request.port === 'process' && fits(request);
    }
    case 'mcp': {
      const { match } = test;
      return ({ request }) => request.port === 'mcp' && fitsMcp(match, request);
    }
  }
}

/** What a test looks for, in a few words that tell it from others. */
export function testLabel(test: RequestTest): string {
  const words = [test.node, ...matchWords(test)].filter((word) => word !== undefined && word !== '');
  return words.join(' ');
}

function matchWords(test: RequestTest): readonly (string | undefined)[] {
  switch (test.port) {
    case 'http':
      return [test.match.methods.join('|'), test.match.url ?? test.match.urlMatches];
    case 'process':
      return [test.match.command];
    case 'mcp':
      return [test.match.server, test.match.tool ?? test.match.resource];
  }
}

/** A request on one line. */
export function requestLabel({ request }: SentRequest): string {
  switch (request.port) {
    case 'http':
      return `${request.method} ${request.url}`;
    case 'process':
      return [request.command, ...request.args].join(' ');
    case 'mcp':
      return request.target;
  }
}

function plainPath(path: string): string {
  const canonical = canonicalPath(path);
  return typeof canonical === 'string' ? canonical : path;
}
