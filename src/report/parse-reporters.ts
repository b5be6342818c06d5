import { PasskError } from '../errors.ts';
import type { Reporter } from './builtin.ts';
import type { ReportRequest } from './render-reports.ts';

/** `NAME` or `NAME:path` words as requests. Throws for unknown names and for two reports in one place. */
export function parseReporters(words: readonly string[], known: readonly Reporter[]): readonly ReportRequest[] {
  const requests = words.map((word) => parseReporter(word, known));
  const places = new Map<string | null, string>();
  for (const { reporter, path } of requests) {
    const other = places.get(path);
    if (other !== undefined) {
      const place = path === null ? 'standard output' : `"${path}"`;
      throw new PasskError('USAGE', `Reporters "${other}" and "${reporter.type}" both write to ${place}.`, {
        hint: `Give one of them a file of its own: --reporter ${reporter.type}:PATH.`,
      });
    }
    places.set(path, reporter.type);
  }
  return requests;
}

function parseReporter(word: string, known: readonly Reporter[]): ReportRequest {
  // The first colon ends the name: a path may have more, as in C:\reports\run.json.
  const colon = word.indexOf(':');
  const name = colon === -1 ? word : word.slice(0, colon);
  const path = colon === -1 ? null : word.slice(colon + 1);
  const reporter = known.find(({ type }) => type === name);
  if (reporter === undefined) {
    throw new PasskError('USAGE', `There is no reporter "${name}".`, {
      hint: `Known reporters: ${known.map(({ type }) => type).join(', ')}.`,
    });
  }
  if (path === '') {
    throw new PasskError('USAGE', `Reporter "${name}" has no path after its colon.`, {
      hint: `Write --reporter ${name}:PATH, or --reporter ${name} for standard output.`,
    });
  }
  return { reporter, path };
}
