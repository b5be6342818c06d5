import { Type } from '../../source/schema-type.ts';
import { contextPath, mapOf, strictTable, text } from '../../workflow/schema-parts.ts';
import { headerProblems } from '../../workflow/header-rules.ts';
import type { CheckedNode, NodeProblem } from '../../types/node-problem.ts';
import type { HttpRequestKeys } from '../../types/definitions/node-keys.ts';

/** The keys of an `http_request` node. */
export const httpRequestSchema = strictTable(
  {
    method: text('HTTP method; case does not matter.'),
    url_from: contextPath('Where the URL is found.'),
    body_from: Type.Optional(contextPath('The body: text as it is, anything else as compact JSON.')),
    headers: Type.Optional(mapOf(Type.String(), 'Request headers; values may hold {{secret:NAME}}.')),
  },
  'Sends an HTTP request: {status, headers, body, bytes}; branch `error` unless the status is 2xx.',
);

/** Headers that change nothing of the request around them. */
export function checkHttpRequest({ headers = {} }: HttpRequestKeys, { id }: CheckedNode): readonly NodeProblem[] {
  return headerProblems({ owner: `Node "${id}"`, headers });
}
