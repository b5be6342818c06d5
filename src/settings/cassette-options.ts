import path from 'node:path';
import { displayName } from '../source/source-file.ts';
import type { CassetteMode } from '../types/cassette.ts';
import type { OptionsFor } from './setting-types.ts';

/** What records, or answers in place of the outside world. */
export interface ResolvedCassette {
  readonly mode: CassetteMode;
  /** Absolute. */
  readonly file: string;
  /** Relative to the working directory where it lies below. */
  readonly name: string;
}

export function resolveCassette(
  { record, replay }: Pick<OptionsFor<'run'>, 'record' | 'replay'>,
  cwd: string,
): ResolvedCassette | null {
  const cassette = record ?? replay;
  if (cassette === undefined) return null;
  const file = path.resolve(cwd, cassette);
  return { mode: record === undefined ? 'replay' : 'record', file, name: displayName(file, cwd) };
}
