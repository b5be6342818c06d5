import type { Issue } from '../../types/issue.ts';
import type { DeclaredWorld } from '../../types/sessions/declared-world.ts';

export interface LoadedWorld {
  /** Null: it has errors, which are among the issues, or is a module. */
  readonly world: DeclaredWorld | null;
  /** The module that it is, relative to the suite's root; absent: none. */
  readonly module?: string;
  readonly issues: readonly Issue[];
}
