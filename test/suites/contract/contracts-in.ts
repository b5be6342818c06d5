import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type LoadSuiteOptions, resolveLoadOptions } from '../../../src/settings/options.ts';
import { type LoadedSuite, loadFor, type SuiteInput } from '../../../src/suite/load-suite.ts';
import type { Contract } from '../../../src/types/contract.ts';
import { brief } from '../../source/parsed.ts';

/** Loads a folder that holds exactly these files; the folder is gone afterwards. */
export async function suiteIn(
  files: Readonly<Record<string, string>>,
  options: Omit<LoadSuiteOptions, 'cwd'> = {},
): Promise<SuiteInput> {
  const root = mkdtempSync(path.join(tmpdir(), 'passk-contract-'));
  try {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
      writeFileSync(path.join(root, name), text);
    }
    return await loadFor(resolveLoadOptions({ paths: ['.'], ...options, cwd: root }));
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** The issues of one file, one line each. */
export async function issuesOf(text: string, file = 'contract.toml'): Promise<readonly string[]> {
  return brief((await suiteIn({ [file]: text })).suite.issues);
}

/** The contracts of one file that has to load without an error. */
export async function contractsOf(text: string, file = 'contract.toml'): Promise<readonly Contract[]> {
  const { suite } = await suiteIn({ [file]: text });
  const errors = suite.issues.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new Error(brief(errors).join('\n'));
  return contractsAmong(suite);
}

/** The contracts among what a suite holds. */
export function contractsAmong({ definitions }: Pick<LoadedSuite, 'definitions'>): readonly Contract[] {
  return definitions.filter((one) => one.kind === 'contract');
}
