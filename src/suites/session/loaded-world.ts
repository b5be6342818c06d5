import type { Issue } from '../../types/issue.ts';
import type { DeclaredWorld, WorldModuleFile, WorldObject } from '../../types/sessions/declared-world.ts';

export interface LoadedWorld {
  /** Null: it has errors, which are among the issues, or is code. */
  readonly world: DeclaredWorld | null;
  /** The code that it is; absent: none. */
  readonly code?: WorldSource;
  readonly issues: readonly Issue[];
}

/** Where the code of a world is found. */
export type WorldSource = Omit<WorldModuleFile, 'changes'> | Omit<WorldObject, 'changes'>;
