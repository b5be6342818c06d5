import type { PasskConfig } from './define-config.ts';
import { resolveRunOptions } from './options.ts';

/** What a run uses where nothing is set; keys that are absent are left to the scenario files. */
export function defaultConfig(): PasskConfig {
  const { paths, seed, sampler, workers, dedupe, bail, keepGoing, maxFileSize } = resolveRunOptions({});
  const lists = { names: [], tags: [], plugins: [], gates: [] };
  return { paths, ...lists, seed, sampler, workers, dedupe, bail, keepGoing, maxFileSize };
}
