import { loadPlugins } from '../plugin/load-plugins.ts';
import { typeTaken } from '../plugin/type-taken.ts';
import type { Reporter } from '../report/reporter.ts';
import { parseReporters } from '../report/parse-reporters.ts';
import type { ReportRequest } from '../report/render-reports.ts';
import { hintFor } from '../text/did-you-mean.ts';
import { type LoadSuiteOptions, resolveLoadOptions } from '../settings/options.ts';
import { requireCollectors } from './send-reports.ts';
import { passkReporters } from './passk-reporters.ts';

/** Where reporters come from besides passk, and where they may send to. */
export type ReporterSources = Pick<LoadSuiteOptions, 'plugins' | 'cwd' | 'permissions'>;

/**
 * `NAME`, `NAME:path` or `NAME:URL` words as requests. Rejects for unknown names, two reports in one place, bad plug-ins, and
 * URLs that are not granted.
 */
export async function resolveReporters(
  words: readonly string[],
  sources: ReporterSources = {},
): Promise<readonly ReportRequest[]> {
  const requests = parseReporters(words, await loadReporters(sources), hintFor);
  await requireCollectors(requests, sources);
  for (const { reporter } of requests) if (passkReporters.includes(reporter)) reporter.prepare?.();
  return requests;
}

/** Every reporter there is: passk's, then those of the user's modules. Rejects with a `PLUGIN` error. */
export async function loadReporters(sources: ReporterSources): Promise<readonly Reporter[]> {
  const plugins = await loadPlugins(resolveLoadOptions(sources).plugins);
  const reporters = [...passkReporters];
  for (const plugin of plugins) {
    if (plugin.kind !== 'reporter') continue;
    if (reporters.some(({ type }) => type === plugin.type)) throw typeTaken(plugin);
    reporters.push(plugin);
  }
  return reporters;
}
