import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { PasskError } from '../errors.ts';
import { builtinReporters } from '../report/builtin.ts';
import type { Reporter } from '../report/reporter.ts';
import { withPlaces } from '../report/place-report.ts';
import { renderHtml } from '../report/html/render-html.ts';

/** Every reporter of passk: those that need nothing but the report, and the one that needs its page. */
export const passkReporters: readonly Reporter[] = [
  ...builtinReporters,
  withPlaces({
    kind: 'reporter',
    type: 'html',
    summary: 'For reading in a browser: one page with graphs, search and failing trials, without network.',
    render: (report, { timing, trends, traces }) =>
      renderHtml(report, pageTemplate(), {
        timing,
        ...(trends !== undefined && { trends }),
        ...(traces !== undefined && { traces }),
      }),
    prepare: () => void pageTemplate(),
    escapes: true,
  }),
];

let page: string | undefined;

/** The built page, with room for its data. Throws `OUTPUT` where it is missing. */
export function pageTemplate(): string {
  page ??= readPage();
  return page;
}

/** The built page: beside the bundle (dist/bin), the library (dist/src/suite) or the sources (src/suite). */
function readPage(here: string = import.meta.url): string {
  const places = ['../web/report.html', '../../web/report.html', '../../dist/web/report.html'];
  const paths = places.map((place) => fileURLToPath(new URL(place, here)));
  for (const path of paths) {
    try {
      return readFileSync(path, 'utf8');
    } catch {
      // Not here: the next place is looked at, and a page that is nowhere is an error below.
    }
  }
  throw new PasskError('OUTPUT', `The page of the HTML report is missing: none of ${paths.join(', ')} can be read.`, {
    hint: 'Install the package again; in the repository, run `npm run build`.',
  });
}
