import { Type } from '../../source/schema-type.ts';
import { contextPath, strictTable, text, u16 } from '../../workflow/schema-parts.ts';
import type { CheckedNode, NodeProblem } from '../../types/node-problem.ts';
import type { RespondKeys } from '../../types/definitions/node-keys.ts';

/** The keys of a `respond` node. */
export const respondSchema = strictTable(
  {
    body_template: text('The body, with {{path}} markers.'),
    status: Type.Optional(u16('HTTP status, 100 to 599; default 200.')),
    content_type: Type.Optional(text('Default `application/json`.')),
    input_from: Type.Optional(contextPath('The value the markers are looked up in; left out: the raw trigger input.')),
  },
  'Shapes the reply to the trigger: {status, content_type, bytes}.',
);

/** A status that HTTP has, and a content type that says something. */
export function checkRespond({ status, contentType }: RespondKeys, { id }: CheckedNode): readonly NodeProblem[] {
  const problems: NodeProblem[] = [];
  if (status !== undefined && (status < 100 || status > 599)) {
    problems.push({
      code: 'respond_status_out_of_range',
      message: `Node "${id}" replies with status ${status}; it must be 100 to 599.`,
      at: ['status'],
      hint: 'Use a valid HTTP status.',
    });
  }
  if (contentType?.trim() === '') {
    problems.push({
      code: 'respond_empty_content_type',
      message: `Node "${id}" has a blank content type.`,
      at: ['content_type'],
      hint: 'Leave content_type out for application/json.',
    });
  }
  return problems;
}
