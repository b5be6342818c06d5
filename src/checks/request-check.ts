import type { RequestExpectation } from '../types/expected-request.ts';
import type { Json } from '../types/json.ts';
import type { SentRequest, TrialView } from './check.ts';
import type { CheckParts } from './make-check.ts';
import { isMet, occurrenceText, proportion } from './occurrence.ts';
import { compileRequestTest, PORT_WORDS, requestLabel, testLabel } from './request-test.ts';
import { showText } from './show-value.ts';

/** One of `http`, `processes` and `mcp`: how many of the requests that policy allowed fit. */
export function requestCheck(expected: RequestExpectation): CheckParts {
  const { port, node, count, match } = expected;
  const label = testLabel(expected);
  const name = label === '' ? PORT_WORDS[port] : `${PORT_WORDS[port]} ${label}`;
  const fits = compileRequestTest(expected, name);
  const fitting = (view: TrialView): readonly SentRequest[] => view.requests().filter(fits);
  // Those of the port and the node: what came instead is the best evidence.
  const shown = (view: TrialView): readonly SentRequest[] =>
    view.requests().filter((sent) => sent.request.port === port && (node === undefined || sent.node === node));
  return {
    name,
    needs: 'requests',
    ...(node === undefined ? {} : { at: node }),
    expected: { count: { ...count }, match } as unknown as Json,
    wanted: occurrenceText(count, 'fitting request'),
    holds: (view) => isMet(count, fitting(view).length),
    got: (view) => shown(view).map(({ request }) => request) as unknown as Json,
    saw: (view) => {
      const sent = shown(view);
      const found = fitting(view);
      const last = found.at(-1) ?? sent.at(-1);
      if (last === undefined) return 'no request';
      return `${proportion(found.length, sent.length)} ${showText(requestLabel(last))}`;
    },
  };
}
