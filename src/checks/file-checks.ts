import type { FilesExpectation } from '../types/scenarios/expected.ts';
import type { TrialView } from './check.ts';
import type { CheckParts } from './make-check.ts';
import { showName, showText } from './show-value.ts';
import { compileTextTest } from './text-test.ts';

/** `[expected.files]`: one check for each path named, of the trial's world after the run. */
export function fileChecks(expected: FilesExpectation): readonly CheckParts[] {
  return [
    ...expected.exist.map(existsCheck),
    ...expected.absent.map(absentCheck),
    ...Object.entries(expected.contain).map(([path, text]) => containsCheck(path, text)),
  ];
}

/** A file or a directory. */
function existsCheck(path: string): CheckParts {
  return {
    name: `files exist ${showName(path)}`,
    needs: 'files',
    expected: true,
    wanted: 'a file or directory',
    holds: (view) => view.file(path) !== null,
    got: (view) => view.file(path) !== null,
    saw: (view) => kindOf(view, path),
  };
}

function absentCheck(path: string): CheckParts {
  return {
    name: `files absent ${showName(path)}`,
    needs: 'files',
    expected: false,
    wanted: 'none',
    holds: (view) => view.file(path) === null,
    got: (view) => view.file(path) !== null,
    saw: (view) => kindOf(view, path),
  };
}

function containsCheck(path: string, text: string): CheckParts {
  const name = `files contain ${showName(path)}`;
  const { expected, wanted, holds } = compileTextTest({ contains: text }, name);
  return {
    name,
    needs: 'files',
    expected,
    wanted,
    holds: (view) => {
      const content = contentOf(view, path);
      return content !== null && holds(content);
    },
    got: (view) => contentOf(view, path),
    saw: (view) => {
      const content = contentOf(view, path);
      return content === null ? kindOf(view, path) : showText(content);
    },
  };
}

function contentOf(view: TrialView, path: string): string | null {
  const file = view.file(path);
  return file?.kind === 'file' ? file.content : null;
}

function kindOf(view: TrialView, path: string): string {
  const file = view.file(path);
  if (file === null) return 'none';
  return file.kind === 'dir' ? 'a directory' : 'a file';
}
