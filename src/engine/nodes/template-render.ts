import type { NodeType } from '../../plugin/node-type.ts';
import { errorMove, notSet } from '../error-move.ts';
import { compileTemplate, tooLong } from '../template.ts';
import type { TemplateRenderKeys } from '../../types/definitions/node-keys.ts';

/** Fills a value into a template. */
export const templateRender: NodeType<TemplateRenderKeys> = {
  kind: 'node',
  type: 'template_render',
  summary: 'Fills a value into a text template.',
  capability: 'template_render',
  needs: () => [],
  labels: () => [],
  passesTo: 'output',
  outputKeys: ['rendered'],
  create: ({ template, inputFrom }) => {
    const render = compileTemplate(template, 'value');
    return {
      reads: inputFrom === undefined ? [] : [{ from: 'path', path: inputFrom }],
      begin: ([found]) => {
        if (inputFrom !== undefined && found === undefined) return notSet(inputFrom);
        const rendered = render(found ?? null);
        return rendered === null ? errorMove('tool', tooLong('template')) : { kind: 'done', output: { rendered } };
      },
    };
  },
};
