import { PasskError } from '../errors.ts';
import { isWebAddress } from '../text/is-web-address.ts';
import type { Reporter } from './reporter.ts';
import type { ReportRequest } from './render-reports.ts';

/** One sentence that leads from a wrong name to the right one. */
export type HintFor = (name: string, names: readonly string[], noun: string) => string;

/** `NAME` or `NAME:path` words as requests. Throws for unknown names and for two reports in one place. */
export function parseReporters(
  words: readonly string[],
  reporters: readonly Reporter[],
  hintFor: HintFor = listNames,
): readonly ReportRequest[] {
  const requests = words.map((word) => parseReporter(word, reporters, hintFor));
  for (const [i, { reporter, path }] of requests.entries()) {
    const other = requests
      .slice(0, i)
      .find((earlier) => earlier.path === path && (path !== null || !mayShare(earlier.reporter, reporter)));
    if (other === undefined) continue;
    const place = path === null ? 'standard output' : `"${path}"`;
    throw new PasskError('USAGE', `Reporters "${other.reporter.type}" and "${reporter.type}" both write to ${place}.`, {
      hint: `Give one of them a file of its own: --reporter ${reporter.type}:PATH.`,
    });
  }
  return requests;
}

/** Whether two reports may both go to standard output. */
function mayShare(one: Reporter, other: Reporter): boolean {
  return (
    one.type !== other.type && [one, other].every(({ type, besideText }) => type === 'text' || besideText === true)
  );
}

function listNames(_name: string, names: readonly string[], noun: string): string {
  return `Known ${noun}: ${names.join(', ')}.`;
}

function parseReporter(word: string, reporters: readonly Reporter[], hintFor: HintFor): ReportRequest {
  // The first colon ends the name: a path may have more, as in C:\reports\run.json.
  const colon = word.indexOf(':');
  const name = colon === -1 ? word : word.slice(0, colon);
  const path = colon === -1 ? null : word.slice(colon + 1);
  const reporter = reporters.find(({ type }) => type === name);
  if (reporter === undefined) {
    throw new PasskError('USAGE', `There is no reporter "${name}".`, {
      hint: hintFor(
        name,
        reporters.map(({ type }) => type),
        'reporters',
      ),
    });
  }
  if (path === '') {
    throw new PasskError('USAGE', `Reporter "${name}" has no path after its colon.`, {
      hint: `Write --reporter ${name}:PATH, or --reporter ${name} for standard output.`,
    });
  }
  if (path === null && reporter.files !== undefined) {
    throw new PasskError('USAGE', `Reporter "${name}" writes a folder, so it cannot use standard output.`, {
      hint: `Write --reporter ${name}:FOLDER.`,
    });
  }
  if (path === null || !isWebAddress(path)) return { reporter, path };
  if (reporter.sender === undefined) {
    throw new PasskError('USAGE', `Reporter "${name}" cannot send its report to a URL.`, {
      hint: `Write --reporter ${name}:PATH. ${senders(reporters)}`,
    });
  }
  return { reporter, path, url: path };
}

function senders(reporters: readonly Reporter[]): string {
  const names = reporters.filter(({ sender }) => sender !== undefined).map(({ type }) => type);
  return `Reporters that send: ${names.join(', ')}.`;
}
