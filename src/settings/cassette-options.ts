import path from 'node:path';
import { displayName } from '../source/source-file.ts';
import type { CassetteMode } from '../types/cassette.ts';
import type { Issue } from '../types/issue.ts';

/** What records, or answers in place of the outside world. */
export interface CassetteOptions {
  /** Write what models and granted effects answer to this file, so that the run can be repeated without them. */
  readonly record?: string;
  /** Take all answers from a file that was recorded: no grant, key or network is used. */
  readonly replay?: string;
}

export interface ResolvedCassette {
  readonly mode: CassetteMode;
  /** Absolute. */
  readonly file: string;
  /** Relative to the working directory where it lies below. */
  readonly name: string;
}

export function resolveCassette({ record, replay }: CassetteOptions, cwd: string): ResolvedCassette | null {
  const given = record ?? replay;
  if (given === undefined) return null;
  const file = path.resolve(cwd, given);
  return { mode: record === undefined ? 'replay' : 'record', file, name: displayName(file, cwd) };
}

export function cassetteIssues({ record, replay }: CassetteOptions): readonly Issue[] {
  return Object.entries({ record, replay }).flatMap(([name, file]): readonly Issue[] => {
    if (file === undefined || (typeof file === 'string' && file !== '')) return [];
    return [{ code: 'bad_option', severity: 'error', message: `\`${name}\` must be the name of a file.` }];
  });
}
