import type { ReleaseSettings } from '../../types/release/release-rules.ts';
import { unchecked } from '../kinds.ts';
import { releaseSchema } from '../release-schema.ts';
import type { Table } from '../setting.ts';

/** What releases are judged by. */
export const RELEASE = {
  /** The candidate, and rules of tiers; `passk release run` reads it. */
  release: { kind: unchecked<ReleaseSettings>(releaseSchema), file: 'What releases are judged by.' },
} satisfies Table;
