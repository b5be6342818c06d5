import path from 'node:path';
import type { ImporterType, ImportSource, SourceHead } from '../../plugin/importer-type.ts';
import { textAt } from '../../values/json-fields.ts';
import { isRecord } from '../../values/is-json.ts';
import { headJson } from '../head-json.ts';
import { type Experiment, findExperiment } from './find-experiment.ts';
import { readSimulation } from './read-simulation.ts';

/** Files of a folder whose first bytes are read to detect the format. */
const LOOKED_AT = 100;

/** Results of τ²-bench, later named τ³-bench: one file, or a folder with a file for each simulation. */
export const tau2Bench: ImporterType = {
  kind: 'importer',
  type: 'tau2-bench',
  summary:
    'Results of τ²-bench and τ³-bench: a file with info, tasks and simulations, or a folder of results.json and simulations/.',
  detects(source) {
    const heads = jsonFiles(source.files).slice(0, LOOKED_AT);
    const results = heads.find((file) => isResults(source.head(file)));
    if (results === undefined) return false;
    return source.files.length === 1 && isWithoutRuns(source.head(results)) ? 'folder' : true;
  },
  *index(source, index) {
    const experiments: Record<string, Experiment> = {};
    for (const file of jsonFiles(source.files)) {
      if (source.files.length > 1 && !isResults(source.head(file))) continue;
      const { experiment, set, runs, problems } = yield* findExperiment(source, file, simulationFiles(source, file));
      for (const problem of problems) index.problem(problem);
      experiments[source.files[file]?.name ?? ''] = experiment;
      for (const run of runs) index.set(set).add(run);
    }
    index.share({ experiments });
  },
  read([piece], { shared, files: [file = ''] }) {
    return readSimulation(piece, experimentOf(shared, file));
  },
};

function jsonFiles(files: SourceHead['files']): readonly number[] {
  return [...files.keys()].filter((at) => files.length === 1 || files[at]?.name.endsWith('.json'));
}

/** Whether these are the first bytes of results: the facts of the experiment stand before its runs. */
function isResults(head: Uint8Array): boolean {
  const { root, keys, values } = headJson(head);
  if (root !== 'object' || !keys.has('info')) return false;
  if (isRecord(values.info)) return textAt(values.info, 'environment_info', 'domain_name') !== null;
  // With the policy of a domain, `info` may be longer than these bytes.
  const text = Buffer.from(head).toString('latin1');
  return ['"num_trials"', '"max_errors"', '"user_info"'].every((key) => text.includes(key));
}

/** Whether these bytes are the whole file, and its runs stand in other files. */
function isWithoutRuns(head: Uint8Array): boolean {
  const { keys, values } = headJson(head);
  return keys.has('tasks') && values.tasks !== undefined && !keys.has('simulations') && head.length < 64 * 1024;
}

/** Files of the folder `simulations` beside the results. */
function simulationFiles(source: ImportSource, results: number): readonly number[] {
  const folder = path.posix.join(path.posix.dirname(source.files[results]?.name ?? ''), 'simulations');
  return jsonFiles(source.files).filter((at) => path.posix.dirname(source.files[at]?.name ?? '') === folder);
}

/** The experiment of a file: its own, or that of the results beside its folder. */
function experimentOf(shared: unknown, file: string): unknown {
  if (!isRecord(shared) || !isRecord(shared.experiments)) return null;
  const { experiments } = shared;
  if (Object.hasOwn(experiments, file)) return experiments[file];
  const above = path.posix.dirname(path.posix.dirname(file));
  const beside = Object.entries(experiments).find(([name]) => path.posix.dirname(name) === above);
  return beside === undefined ? null : beside[1];
}
