import path from 'node:path';
import { ImportError, type ImportProblem, type ImportSource, type RunPiece } from '../../plugin/importer-type.ts';
import type { Json } from '../../types/json.ts';
import { fieldAt, listAt, textAt } from '../../values/json-fields.ts';
import { headJson } from '../head-json.ts';
import { jsonPlaces } from '../json-places.ts';
import { jsonIn } from '../../values/json-in.ts';

/** Facts that all runs of an experiment share. */
export interface Experiment {
  readonly [key: string]: Json;
  readonly agent: string | null;
  readonly user: string | null;
  /** By the id of a task, the calls that are right. */
  readonly gold: Readonly<Record<string, readonly { readonly name: string; readonly args: Json }[]>>;
}

export interface ExperimentRuns {
  readonly experiment: Experiment;
  /** The agent, its model and the domain. */
  readonly set: string;
  readonly runs: readonly RunPiece[];
  readonly problems: readonly ImportProblem[];
}

const SIMULATION = 0;
const TASK = 1;
/** Most bytes of a task whose gold calls are read. */
const MOST_TASK = 1024 * 1024;

/** Reads results: the facts of the experiment, and the places of its runs, in this file or in files of their own. */
export function* findExperiment(
  source: ImportSource,
  file: number,
  beside: readonly number[],
): Generator<void, ExperimentRuns> {
  const runs: RunPiece[] = [];
  const problems: ImportProblem[] = [];
  const gold = new Map<string, Experiment['gold'][string]>();
  const { text, cut } = yield* jsonPlaces({
    read: (from, to) => source.read(file, from, to),
    bytes: source.files[file]?.bytes ?? 0,
    paths: [
      ['simulations', '*'],
      ['tasks', '*'],
      ['info', 'environment_info', 'policy'],
      ['info', 'environment_info', 'tool_defs'],
    ],
    found({ path: which, from, to }) {
      if (which === SIMULATION) runs.push({ file, from, to });
      if (which === TASK && to - from <= MOST_TASK)
        addGold(gold, jsonIn(Buffer.from(source.read(file, from, to)).toString('utf8')));
    },
  });
  if (cut !== null) problems.push({ message: cut.message, file, ...(cut.at !== undefined && { at: cut.at }) });
  const head = cut === null ? jsonIn(text.replace(/^\ufeff/, '')) : headJson(source.head(file)).values;
  for (const one of runs.length === 0 ? beside : [])
    runs.push({ file: one, from: 0, to: source.files[one]?.bytes ?? 0 });
  const missingIds = missingSimulations(head, beside, source);
  if (missingIds.length > 0) {
    const some = `${missingIds.length} of the simulations in its index are not there, such as ${JSON.stringify(missingIds[0])}.`;
    problems.push({ message: some, file });
  }
  if (runs.length === 0 && source.files.length === 1) {
    throw new ImportError(
      'It has no simulations. Where they stand in files of their own, name the folder of this file.',
    );
  }
  const agent = textAt(head, 'info', 'agent_info', 'llm');
  const user = textAt(head, 'info', 'user_info', 'llm');
  return { experiment: { agent, user, gold: Object.fromEntries(gold) }, set: setName(head), runs, problems };
}

function setName(head: unknown): string {
  const implementation = textAt(head, 'info', 'agent_info', 'implementation');
  const model = textAt(head, 'info', 'agent_info', 'llm');
  const domain = textAt(head, 'info', 'environment_info', 'domain_name');
  const agent = implementation === null ? model : model === null ? implementation : `${implementation} (${model})`;
  return [agent, domain].filter((part) => part !== null).join(', ');
}

/** Adds the calls that a task expects of the agent, without those that it expects of the user. */
function addGold(gold: Map<string, Experiment['gold'][string]>, task: unknown): void {
  const id = fieldAt(task, 'id');
  if (typeof id !== 'string' && typeof id !== 'number') return;
  const actions = listAt(task, 'evaluation_criteria', 'actions').filter(
    (action) => (textAt(action, 'requestor') ?? 'assistant') === 'assistant' && textAt(action, 'name') !== null,
  );
  gold.set(
    String(id),
    actions.map((action) => ({
      name: textAt(action, 'name') ?? '',
      args: (fieldAt(action, 'arguments') ?? {}) as Json,
    })),
  );
}

/** Ids of simulations that are in the index and have no file. */
function missingSimulations(head: unknown, beside: readonly number[], source: ImportSource): readonly string[] {
  if (beside.length === 0) return [];
  const fileIds = new Set(beside.map((at) => path.posix.basename(source.files[at]?.name ?? '', '.json')));
  return listAt(head, 'simulation_index').flatMap((entry) => {
    const id = textAt(entry, 'id');
    return id === null || fileIds.has(id) ? [] : [id];
  });
}
