import type { Json } from '../types/json.ts';
import type { TextMatch } from '../types/mock.ts';
import type { RespondExpectation } from '../types/scenarios/expected.ts';
import type { HttpResponse } from '../types/trial.ts';
import type { CheckParts } from './make-check.ts';
import { showValue } from './show-value.ts';
import { compileTextTest } from './text-test.ts';

/** `[expected.respond]`: one check for each part named; an empty table asks for a reply of any kind, `none` for none. */
export function respondChecks(expected: RespondExpectation | 'none'): readonly CheckParts[] {
  if (expected === 'none') return [noReply];
  const { status, contentType, body, bodyContains, bodyMatches } = expected;
  const checks: CheckParts[] = [];
  if (status !== undefined) {
    checks.push(
      part(
        'status',
        status,
        (reply) => reply.status === status,
        (reply) => reply.status,
      ),
    );
  }
  if (contentType !== undefined) {
    const holds = (reply: HttpResponse): boolean => reply.contentType === contentType;
    checks.push(part('content_type', contentType, holds, (reply) => reply.contentType));
  }
  if (body !== undefined) checks.push(bodyPart('body', body));
  if (bodyContains !== undefined) checks.push(bodyPart('body_contains', { contains: bodyContains }));
  if (bodyMatches !== undefined) checks.push(bodyPart('body_matches', { matches: bodyMatches }));
  return checks.length > 0 ? checks : [anyReply];
}

const anyReply: CheckParts = {
  name: 'respond',
  expected: true,
  wanted: 'a reply',
  holds: (view) => view.response !== null,
  got: (view) => view.response !== null,
  saw: (view) => (view.response === null ? 'no reply' : 'a reply'),
};

const noReply: CheckParts = {
  name: 'respond',
  expected: false,
  wanted: 'no reply',
  holds: (view) => view.response === null,
  got: (view) => view.response !== null,
  saw: (view) => (view.response === null ? 'no reply' : showValue(view.response.body)),
};

function part(
  key: string,
  expected: Json,
  holds: (reply: HttpResponse) => boolean,
  pick: (reply: HttpResponse) => Json,
  wanted = showValue(expected),
): CheckParts {
  return {
    name: `respond ${key}`,
    expected,
    wanted,
    holds: (view) => view.response !== null && holds(view.response),
    got: (view) => (view.response === null ? null : pick(view.response)),
    saw: (view) => (view.response === null ? 'no reply' : showValue(pick(view.response))),
  };
}

function bodyPart(key: string, match: TextMatch): CheckParts {
  const { expected, wanted, holds } = compileTextTest(match, `respond ${key}`, 'the body');
  return part(
    key,
    expected,
    (reply) => holds(reply.body),
    (reply) => reply.body,
    wanted,
  );
}
