import type { RequestTest } from '../types/expected-request.ts';
import type { Json } from '../types/json.ts';
import type { TrialView } from './check.ts';
import type { CheckParts } from './make-check.ts';
import { compileRequestTest, PORT_WORDS, requestLabel, testLabel } from './request-test.ts';
import { showText } from './show-value.ts';

/** `sequence`: requests that went out in this order; others may lie between them. */
export function sequenceCheck(steps: readonly RequestTest[]): CheckParts {
  const tests = steps.map((step) => compileRequestTest(step, 'sequence'));
  const labels = steps.map((step) => `${PORT_WORDS[step.port]} ${testLabel(step)}`.trim());
  /** How many steps, from the first on, were made in order. */
  const reached = (view: TrialView): number => {
    let step = 0;
    for (const sent of view.requests()) if (tests[step]?.(sent) === true) step++;
    return step;
  };
  return {
    name: 'sequence',
    needs: 'requests',
    expected: labels,
    wanted: `${labels.length} requests in this order`,
    holds: (view) => reached(view) === tests.length,
    got: (view) => view.requests().map(({ request }) => request) as unknown as Json,
    saw: (view) => {
      const count = reached(view);
      const last = view.requests().at(-1);
      const missing = labels[count];
      if (missing === undefined) return `all ${count}`;
      const after = last === undefined ? 'no request' : `the last one ${showText(requestLabel(last))}`;
      return `${count} of them, then never ${showText(missing)}: ${after}`;
    },
  };
}
