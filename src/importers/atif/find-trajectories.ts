import path from 'node:path';
import { ImportError, type ImportProblem, type ImportSource, type RunPiece } from '../../plugin/importer-type.ts';
import { fieldAt, listAt, textAt } from '../../values/json-fields.ts';
import { headJson } from '../head-json.ts';
import { jsonPlaces } from '../json-places.ts';

/** A trajectory without its steps: its own facts, and its references to others. */
export interface Outline {
  readonly place: RunPiece;
  /** Name of its file, relative to the source. */
  readonly file: string;
  /** Its fields beside the steps, as far as they can be read. */
  readonly head: unknown;
  /** Paths and ids by which it refers to the trajectories of subagents. */
  readonly refs: readonly string[];
  /** Why it is cut off; null: it is whole. */
  readonly problem: ImportProblem | null;
}

/** Whether these are the first bytes of a trajectory. */
export function isTrajectoryHead(head: Uint8Array): boolean {
  return isTrajectoryVersion(headJson(head).values.schema_version);
}

export function isTrajectoryVersion(version: unknown): boolean {
  return typeof version === 'string' && /^ATIF-v1\.\d+$/.test(version);
}

const MOST_HEAD = 64 * 1024;

/** Fields that may be long and refer to no other trajectory. */
const LEFT_OUT = [
  ['subagent_trajectories'],
  ['agent', 'tool_definitions'],
  ['agent', 'extra'],
  ['extra'],
  ['notes'],
  ['final_metrics'],
];

/** Reads a trajectory without holding its steps. */
export function* outlineOf(source: ImportSource, place: RunPiece): Generator<void, Outline> {
  const { file, from, to } = place;
  const name = source.files[file]?.name ?? '';
  const refs = new Set<string>();
  const read = (start: number, end: number): Uint8Array => source.read(file, from + start, from + end);
  const headFields = (): unknown => headJson(read(0, Math.min(to - from, MOST_HEAD))).values;
  const problem = (error: ImportError): ImportProblem => ({ message: error.message, file, at: from + (error.at ?? 0) });
  try {
    const { text, cut } = yield* jsonPlaces({
      read,
      bytes: to - from,
      paths: [['steps', '*'], ...LEFT_OUT],
      found(step) {
        if (step.path !== 0) return;
        const bytes = Buffer.from(read(step.from, step.to));
        if (bytes.includes('subagent_trajectory_ref')) for (const ref of refsIn(bytes.toString('utf8'))) refs.add(ref);
      },
    });
    const head = cut === null ? (JSON.parse(text.replace(/^\ufeff/, '')) as unknown) : headFields();
    return { place, file: name, head, refs: [...refs], problem: cut === null ? null : problem(cut) };
  } catch (error) {
    // Reading the run gives the error again, with its place.
    if (error instanceof ImportError || error instanceof SyntaxError) {
      return { place, file: name, head: headFields(), refs: [...refs], problem: null };
    }
    throw error;
  }
}

function refsIn(step: string): readonly string[] {
  let value: unknown;
  try {
    value = JSON.parse(step);
  } catch {
    return [];
  }
  return subagentRefs(value).flatMap(keysOf);
}

/** References of a step to the trajectories of subagents. */
export function subagentRefs(step: unknown): readonly unknown[] {
  return listAt(step, 'observation', 'results').flatMap((result) => {
    const refs = fieldAt(result, 'subagent_trajectory_ref');
    return Array.isArray(refs) ? (refs as readonly unknown[]) : refs === undefined || refs === null ? [] : [refs];
  });
}

/** Paths and ids in a reference. Up to version 1.6 it has a path or the id of a session. */
export function keysOf(ref: unknown): readonly string[] {
  const keys = ['trajectory_path', 'trajectory_id', 'session_id'].flatMap((key) => textAt(ref, key) ?? []);
  return typeof ref === 'string' ? [ref] : keys;
}

/** A trajectory as others refer to it. */
export interface Referred {
  /** Name of its file, relative to the source; '': it has no file of its own. */
  readonly file: string;
  readonly head: unknown;
}

/** Finds trajectories by references. The part of a path above the source is unknown. */
export class Trajectories<T extends Referred> {
  private readonly byFile = new Map<string, T>();
  private readonly byId = new Map<string, T>();

  constructor(all: readonly T[]) {
    for (const one of all) {
      if (one.file !== '' && !this.byFile.has(one.file)) this.byFile.set(one.file, one);
      const id = textAt(one.head, 'trajectory_id') ?? textAt(one.head, 'session_id');
      if (id !== null && !this.byId.has(id)) this.byId.set(id, one);
    }
  }

  /** The trajectory that one of the keys names, other than `from`. */
  find(keys: readonly string[], from: T): T | undefined {
    const folder = path.posix.dirname(from.file);
    return keys
      .flatMap((key) => [
        this.byFile.get(path.posix.join(folder, key)),
        this.byFile.get(path.posix.join(folder, path.posix.basename(key))),
        this.byId.get(key),
      ])
      .find((one) => one !== undefined && one !== from);
  }

  /** The trajectory that continues this one. */
  next(one: T): T | undefined {
    const ref = textAt(one.head, 'continued_trajectory_ref');
    return ref === null ? undefined : this.find([ref], one);
  }
}

/**
 * Trajectories by run: each that no other refers to, then those that continue it in order, then those of its subagents and
 * of their subagents.
 */
export function runsOf(outlines: readonly Outline[]): readonly (readonly Outline[])[] {
  const all = new Trajectories(outlines);
  const partsOf = (one: Outline): readonly Outline[] =>
    [all.next(one), ...one.refs.map((ref) => all.find([ref], one))].filter((part) => part !== undefined);
  const referred = new Set(outlines.flatMap(partsOf));
  const assigned = new Set<Outline>();
  const runs: Outline[][] = [];
  // Of trajectories that refer to each other in a circle, the first one by name begins the run.
  for (const first of [...outlines.filter((one) => !referred.has(one)), ...outlines]) {
    const run: Outline[] = [];
    for (let one: Outline | undefined = first; one !== undefined && !assigned.has(one); one = all.next(one)) {
      assigned.add(one);
      run.push(one);
    }
    for (const one of run) {
      for (const part of partsOf(one)) {
        if (assigned.has(part)) continue;
        assigned.add(part);
        run.push(part);
      }
    }
    if (run.length > 0) runs.push(run);
  }
  return runs;
}
