import { ImportError, type ImportedRun, type ImporterType } from '../plugin/importer-type.ts';
import type { Json } from '../types/json.ts';
import { countAt, fieldAt, listAt, textAt } from '../values/json-fields.ts';
import { chatMessages } from './chat-messages.ts';
import { headJson } from './head-json.ts';
import { jsonPlaces } from './json-places.ts';
import { readObject } from './read-record.ts';

/**
 * Results of τ-bench: a list of runs, each with its task, trial and conversation. The file names neither agent nor
 * domain.
 */
export const tauBench: ImporterType = {
  kind: 'importer',
  type: 'tau-bench',
  summary: 'Results of τ-bench: a JSON list of runs with task_id, trial, reward and traj.',
  detects(source) {
    if (source.files.length !== 1) return false;
    const { root, keys } = headJson(source.head(0));
    return root === 'list' && keys.has('task_id') && keys.has('reward') && (keys.has('traj') || keys.has('info'));
  },
  *index(source, index) {
    const runs = index.set('');
    const [file] = source.files;
    const { cut } = yield* jsonPlaces({
      read: (from, to) => source.read(0, from, to),
      bytes: file?.bytes ?? 0,
      paths: [['*']],
      found: ({ from, to }) => runs.add({ file: 0, from, to }),
    });
    if (cut !== null) index.problem({ message: cut.message, file: 0, ...(cut.at !== undefined && { at: cut.at }) });
  },
  read([piece]) {
    const run = readObject(piece);
    const task = fieldAt(run, 'task_id');
    const reward = fieldAt(run, 'reward');
    if (typeof task !== 'number' && typeof task !== 'string') throw new ImportError('It has no "task_id".');
    if (typeof reward !== 'number') throw new ImportError('It has no "reward".');
    const trial = countAt(run, 'trial');
    const error = textAt(run, 'info', 'error');
    const instruction = textAt(run, 'info', 'task', 'instruction');
    const isJudged = fieldAt(run, 'info', 'reward_info') !== null;
    return {
      task: String(task),
      ...(trial !== null && { attempt: trial }),
      scores: [{ name: 'reward', value: reward }],
      ...(error !== null && { error: `${error}${traceback(run)}` }),
      ...(error === null && !isJudged && { ending: OUT_OF_STEPS }),
      messages: chatMessages(listAt(run, 'traj')),
      ...goldOf(run),
      ...(instruction !== null && { extra: { instruction } }),
      unsaid: {
        cost: 'τ-bench keeps no cost of the agent; its user_cost is that of the last turn only',
        usage: 'τ-bench keeps no tokens',
      },
    } satisfies ImportedRun;
  },
};

/** The gold calls and texts of the task; {} where the file leaves the task out. */
function goldOf(run: unknown): Pick<ImportedRun, 'gold' | 'goldTexts'> {
  if (!Array.isArray(fieldAt(run, 'info', 'task', 'actions'))) return {};
  return {
    gold: listAt(run, 'info', 'task', 'actions').map((action) => ({
      name: textAt(action, 'name') ?? '',
      args: (fieldAt(action, 'kwargs') ?? {}) as Json,
    })),
    goldTexts: listAt(run, 'info', 'task', 'outputs').map((text) =>
      typeof text === 'string' ? text : JSON.stringify(text),
    ),
  };
}

/** The ending of a run without a judgement: it reached the limit of steps, which counts as a failure in τ-bench. */
const OUT_OF_STEPS = { status: 'failed', reason: 'It was not judged: it reached the limit of steps.' } as const;

function traceback(run: unknown): string {
  const text = textAt(run, 'info', 'traceback');
  return text === null ? '' : `\n${text}`;
}
