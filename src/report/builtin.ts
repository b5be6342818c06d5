import type { RenderOptions } from '../types/render-options.ts';
import type { SuiteReport } from '../types/report.ts';
import { renderJson } from './render-json.ts';
import { renderReferenceJson } from './render-reference-json.ts';
import { renderText } from './render-text.ts';

/** What the report room asks of a reporter; plug-ins of kind `reporter` have this shape. */
export interface Reporter {
  readonly kind: 'reporter';
  readonly type: string;
  readonly summary: string;
  render(report: SuiteReport, options: RenderOptions): string;
}

/** The reporters that need no plug-in, in the order in which they are listed. */
export const builtinReporters: readonly Reporter[] = [
  {
    kind: 'reporter',
    type: 'text',
    summary: 'For people: a line per scenario, failures in full, the verdict last.',
    render: renderText,
  },
  {
    kind: 'reporter',
    type: 'json',
    summary: 'For programs: the whole report, in the shape of its versioned schema.',
    render: renderJson,
  },
  {
    kind: 'reporter',
    type: 'reference-json',
    summary: "For tools of agentd-conformance: the report in that program's own JSON shape.",
    render: renderReferenceJson,
  },
];
