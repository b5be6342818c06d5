import type { Issue } from '../types/issue.ts';
import { isSuiteFile } from './scan-folder.ts';
import type { SourceFile } from './source-file.ts';

/**
 * The problem of a file that another file names, and that is of another kind than this needs: the place, and nothing of
 * the text. An untrusted scenario may name any file of its project, keys and passwords among them. `issues`: what kept it from
 * being parsed; none where it is something else.
 */
export function hiddenProblem({ name }: SourceFile, what: string, issues: readonly Issue[] = []): Issue {
  const [first] = issues;
  const { line = 1, column = 1 } = first?.at ?? {};
  return {
    code: first?.code ?? 'other_file',
    severity: 'error',
    message: `File "${name}" is not ${what}. What stands in it is not shown, because another file named it.`,
    at: { file: name, line, column },
    hint: isSuiteFile(name)
      ? `Name the file itself to see more: passk validate ${name}`
      : 'Mend the file at this place, or name another one.',
  };
}
