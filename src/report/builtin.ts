import { atifFiles, isAtifFile, renderAtif } from './atif/atif-files.ts';
import { renderInspect } from './inspect/render-inspect.ts';
import { withPlaces } from './place-report.ts';
import { renderGithub } from './ci/render-github.ts';
import { renderJson } from './render-json.ts';
import { renderJunit } from './ci/render-junit.ts';
import { renderMarkdown } from './render-markdown.ts';
import { ndjsonEvent, renderNdjson } from './render-ndjson.ts';
import { otlpSender } from './otlp/otlp-requests.ts';
import { renderOtlp } from './otlp/render-otlp.ts';
import { renderReferenceJson } from './render-reference-json.ts';
import { renderTap } from './ci/render-tap.ts';
import { renderText } from './text/render-text.ts';
import { readOutputSchema } from './output-schema.ts';
import type { Reporter } from './reporter.ts';

/** The reporters that need no plug-in, in the order in which they are listed. */
export const builtinReporters: readonly Reporter[] = [
  withPlaces({
    kind: 'reporter',
    type: 'text',
    summary: 'For people: a line per scenario, failures in full, the verdict last.',
    render: renderText,
  }),
  {
    kind: 'reporter',
    type: 'json',
    summary: 'For programs: the whole report, in the shape of its versioned schema.',
    render: renderJson,
    // Its keys have the order of the schema, whose file may be gone when the run ends.
    prepare: () => void readOutputSchema('report'),
    escapes: true,
  },
  {
    kind: 'reporter',
    type: 'reference-json',
    summary: "For tools of agentd-conformance: the report in that program's own JSON shape.",
    render: renderReferenceJson,
    escapes: true,
  },
  {
    kind: 'reporter',
    type: 'ndjson',
    summary: 'For tools that follow a run: a line of JSON per event, as it happens.',
    render: renderNdjson,
    event: ndjsonEvent,
    escapes: true,
  },
  withPlaces({
    kind: 'reporter',
    type: 'junit',
    summary: 'For CI servers: JUnit XML, a testsuite per folder and a testcase per scenario.',
    render: renderJunit,
    escapes: true,
  }),
  {
    kind: 'reporter',
    type: 'otlp',
    summary:
      'For OpenTelemetry: OTLP/JSON, a span per test case and a trace per recorded trial; sent to an http(s) URL.',
    render: renderOtlp,
    sender: otlpSender,
    escapes: true,
  },
  withPlaces({
    kind: 'reporter',
    type: 'tap',
    summary: 'For TAP readers: TAP 14, a test point per scenario, failures as YAML.',
    render: renderTap,
  }),
  withPlaces({
    kind: 'reporter',
    type: 'markdown',
    summary: 'For comments and summaries: the verdict, a table of scenarios, failures folded.',
    render: renderMarkdown,
  }),
  withPlaces({
    kind: 'reporter',
    type: 'github',
    summary: 'For GitHub Actions: annotations in the TOML files, and the summary of the step.',
    render: renderGithub,
    besideText: true,
    escapes: true,
  }),
  withPlaces({
    kind: 'reporter',
    type: 'inspect',
    summary: 'For Inspect and its viewer: a log with a sample for each trial.',
    render: renderInspect,
    escapes: true,
  }),
  withPlaces({
    kind: 'reporter',
    type: 'atif',
    summary: 'For tools that read agent trajectories: a folder with a file in ATIF for each failing trial kept.',
    render: renderAtif,
    files: atifFiles,
    isOwn: isAtifFile,
    escapes: true,
  }),
];
