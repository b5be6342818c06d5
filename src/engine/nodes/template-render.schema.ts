import { Type } from '../../source/schema-type.ts';
import { contextPath, strictTable, text } from '../../workflow/schema-parts.ts';

/** The keys of a `template_render` node. */
export const templateRenderSchema = strictTable(
  {
    template: text('Text with {{path}} markers, looked up in the value at `input_from`.'),
    input_from: Type.Optional(contextPath('The value the markers are looked up in.')),
  },
  'Fills a template: {rendered}.',
);
