import path from 'node:path';
import { hintFor } from '../../text/did-you-mean.ts';
import { locationAt } from '../../source/location-at.ts';
import { readSource } from '../../source/source-file.ts';
import type { Issue } from '../../types/issue.ts';
import type { StrayFailure } from '../../types/model-suite.ts';
import type { LoadDocumentOptions } from '../suite-kind.ts';

export interface ExpectedFailures {
  readonly names: readonly string[];
  /** The other plug-ins that lines name, each where it stands first. */
  readonly others: readonly StrayFailure[];
  /** What keeps the file from being read, and names of this suite that no test has. */
  readonly issues: readonly Issue[];
}

/**
 * Those lines of the file that name tests of one suite, by the names of their scenarios; `#` begins a comment. Null: there is no
 * file.
 */
export function expectedFailures(
  file: string | null,
  { suite, scenarios }: { readonly suite: string; readonly scenarios: readonly string[] },
  { root, cwd, onRead }: LoadDocumentOptions,
): ExpectedFailures {
  if (file === null) return { names: [], others: [], issues: [] };
  const read = readSource(path.resolve(cwd, file), { root, ...(onRead !== undefined && { onRead }) });
  if (!read.ok) return { names: [], others: [], issues: read.issues };
  const { source } = read;
  const names: string[] = [];
  const others = new Map<string, StrayFailure>();
  const issues: Issue[] = [];
  let offset = 0;
  for (const line of source.text.split('\n')) {
    const name = line.trim();
    const at = () => locationAt(source, offset + line.indexOf(name), offset + line.indexOf(name) + name.length);
    const [plugin = ''] = name.split(': ', 1);
    if (name === '' || name.startsWith('#')) {
      // A comment.
    } else if (plugin === name) {
      const message = `"${name}" is no name of a test.`;
      const hint = 'Write PLUG-IN: MODEL: TEST, as reports name it.';
      issues.push({ code: 'unknown_test', severity: 'error', message, at: at(), hint });
    } else if (plugin !== suite) {
      if (!others.has(plugin)) others.set(plugin, { plugin, at: at() });
    } else if (scenarios.includes(name)) {
      names.push(name);
    } else {
      const message = `"${name}" is expected to fail, and there is no such test.`;
      const hint = hintFor(name, scenarios, 'tests');
      issues.push({ code: 'unknown_test', severity: 'error', message, at: at(), hint });
    }
    offset += line.length + 1;
  }
  return { names, others: [...others.values()], issues };
}
