import {
  ImportError,
  type ImportedRun,
  type ImportedScore,
  type ImporterType,
  type RunPiece,
} from '../../plugin/importer-type.ts';
import type { JsonObject } from '../../types/json.ts';
import { fieldAt, listAt, numberAt, textAt } from '../../values/json-fields.ts';
import { textOf } from '../../values/message-text.ts';
import { readObject } from '../read-record.ts';
import { recordPlaces } from '../record-places.ts';
import { isTrajectoryHead, isTrajectoryVersion, type Outline, outlineOf, runsOf } from './find-trajectories.ts';
import { readTrajectories } from './read-trajectory.ts';

/** Files of a folder whose first bytes are read to detect the format. */
const LOOKED_AT = 100;

/**
 * Trajectories of agents, a file each, or a file of several. The format has no verdict, but files that passk wrote have one.
 * Runs with the same task are attempts.
 */
export const atif: ImporterType = {
  kind: 'importer',
  type: 'atif',
  summary: 'Trajectories in the Agent Trajectory Interchange Format (ATIF 1.0 to 1.8): a file, or a folder of them.',
  detects(source) {
    return jsonFiles(source.files)
      .slice(0, LOOKED_AT)
      .some((file) => isTrajectoryHead(source.head(file)));
  },
  *index(source, index) {
    const outlines: Outline[] = [];
    const reportProblem = ({ problem }: Outline): void => {
      if (problem !== null) index.problem(problem);
    };
    for (const file of jsonFiles(source.files)) {
      if (source.files.length > 1 && !isTrajectoryHead(source.head(file))) {
        index.problem({ message: 'It is no trajectory, so it is left out.', file });
        continue;
      }
      const places: RunPiece[] = [];
      yield* recordPlaces(source, file, (place) => void places.push(place));
      for (const place of places) {
        const outline = yield* outlineOf(source, place);
        reportProblem(outline);
        if (places.length === 1) outlines.push(outline);
        else index.set(agentName(outline.head)).add(place);
      }
    }
    for (const run of runsOf(outlines)) {
      index.set(agentName(run[0]?.head)).add(...run.map(({ place }) => place));
    }
  },
  read(pieces, { files }) {
    const trajectories = pieces.map((piece, at) => ({ file: files[at] ?? '', head: readTrajectory(piece) }));
    const head = trajectories[0]?.head ?? {};
    const facts = readTrajectories(trajectories);
    const id = textAt(head, 'session_id') ?? textAt(head, 'trajectory_id');
    const [prompt] = (facts.messages ?? []).filter(({ role }) => role === 'user').map(({ parts }) => textOf(parts));
    const { scores, error } = verdictOf(fieldAt(head, 'extra'));
    const { steps: _, subagent_trajectories: __, extra, ...rest } = head;
    return {
      task: taskOf(fieldAt(head, 'extra')) ?? prompt ?? files[0] ?? '',
      ...(id !== null && { id }),
      scores,
      ...(error !== null && { error }),
      ...facts,
      extra: { ...rest, ...(extra !== undefined && { extra }) },
      unsaid: { ...(scores.length === 0 && error === null && { scores: 'ATIF has no verdict' }), ...facts.unsaid },
    } satisfies ImportedRun;
  },
};

function jsonFiles(files: readonly { readonly name: string }[]): readonly number[] {
  return [...files.keys()].filter((at) => files.length === 1 || /\.jsonl?$/i.test(files[at]?.name ?? ''));
}

/** The name of a set: the agent with its version and model. */
export function agentName(head: unknown): string {
  const model = textAt(head, 'agent', 'model_name');
  const agent = [textAt(head, 'agent', 'name'), textAt(head, 'agent', 'version')].filter(
    (part) => part !== null && part !== '',
  );
  return [...agent, ...(model === null ? [] : [`(${model})`])].join(' ');
}

/** A trajectory. Throws an `ImportError` for any other JSON. */
export function readTrajectory(piece: Uint8Array): JsonObject {
  const value = readObject(piece);
  const { schema_version: version } = value;
  if (!isTrajectoryVersion(version)) throw new ImportError('It has no "schema_version" of ATIF 1.');
  if (!Array.isArray(value.steps)) throw new ImportError('It has no "steps".');
  return value;
}

/** Keys by which writers name a task, for which the format has none. */
const TASK_NAMES = ['task', 'task_id', 'task_name', 'instance_id'];

function taskOf(extra: unknown): string | null {
  const [task] = TASK_NAMES.map((name) => fieldAt(extra, name)).filter(
    (name) => (typeof name === 'string' && name !== '') || typeof name === 'number',
  );
  return task === undefined ? null : String(task);
}

/** The verdict in `extra`, as passk and others write it: the format has no place for one. */
function verdictOf(extra: unknown): { readonly scores: readonly ImportedScore[]; readonly error: string | null } {
  const passk = fieldAt(extra, 'passk');
  const verdict = textAt(passk, 'verdict');
  if (verdict === 'broken') {
    return { scores: [], error: textAt(passk, 'brokenBy') || 'The trajectory does not say why its trial is broken.' };
  }
  if (verdict === 'failed') {
    const why = listAt(passk, 'findings')
      .flatMap((finding) => textAt(finding, 'message') ?? [])
      .join('\n');
    return { scores: [{ name: 'passk', value: false, ...(why !== '' && { explanation: why }) }], error: null };
  }
  const reward = numberAt(extra, 'reward');
  return { scores: reward === null ? [] : [{ name: 'reward', value: reward }], error: null };
}
