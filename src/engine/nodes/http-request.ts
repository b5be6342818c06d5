import type { Move, NodeType } from '../../plugin/node-type.ts';
import type { Json } from '../../types/json.ts';
import { notSet, notText } from '../error-move.ts';
import { bodyOf, httpDone, readHeaders } from '../http-parts.ts';
import { ask, doneWith } from '../reply-move.ts';
import type { HttpRequestKeys } from '../../types/definitions/node-keys.ts';

/** Sends an HTTP request; the branch is `error` unless the status is 2xx. */
export const httpRequest: NodeType<HttpRequestKeys> = {
  kind: 'node',
  type: 'http_request',
  summary: 'Sends an HTTP request.',
  capability: 'http_request',
  needs: () => ['http'],
  labels: () => ['error'],
  calls: ({ method }) => [{ port: 'http', method: method.toUpperCase() }],
  create: ({ method, urlFrom, bodyFrom, headers }) => {
    const declared = readHeaders(headers ?? {});
    return {
      reads: [urlFrom, ...(bodyFrom === undefined ? [] : [bodyFrom])].map((path) => ({ from: 'path', path })),
      begin: ([url, found]): Move => {
        if (typeof url !== 'string') return notText(urlFrom, url);
        const target = { port: 'http', method: method.toUpperCase(), url } as const;
        // Policy judges the target first, so that a denial is counted whatever else is wrong.
        const refuse = (invalid: string): Move => ask({ ...target, headers: {}, body: null, invalid });
        if (bodyFrom !== undefined && found === undefined) return refuse(notSet(bodyFrom).message);
        const body = bodyFrom === undefined ? null : bodyOf(found as Json);
        if (typeof body === 'object' && body !== null) return refuse(body.problem);
        if (!declared.ok) return refuse(declared.problem);
        return ask({ ...target, headers: declared.headers, body });
      },
      after: (_, reply) => doneWith(reply, httpDone),
    };
  },
};
