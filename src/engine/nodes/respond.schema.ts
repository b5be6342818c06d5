import { Type } from '../../source/schema-type.ts';
import { contextPath, strictTable, text, u16 } from '../../workflow/schema-parts.ts';

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
