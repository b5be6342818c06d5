import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import process from 'node:process';
import { onTestFinished } from 'vitest';
import { type ModelReport, runSuite, type RunSuiteOptions, type SuiteReport } from '../../../src/index.ts';

const ENTRY = fileURLToPath(new URL('./fixtures/echo-entry.mjs', import.meta.url));

export const CONFORM = `
[conform]
max-retries = 1
retry-base-delay = 0
[conform.env]
echo = []
[conform.runtimes.js]
specs-dir = "specs"
plugins-dir = "plugins"
entry-filename = "entry.mjs"
default-runner = "in-process"
`;

/** A test that asks for a word and wants it back. */
export function says(word: string, more = ''): string {
  return `
    - name: says ${word}
      input: { messages: [{ role: user, content: [{ text: ${word} }] }] }
      validators: ["text-includes:${word}"]${more}`;
}

/** A folder with a conform.toml and one spec file for each plug-in, each with the echo as its entry. */
export function specsIn(
  specs: Readonly<Record<string, string>>,
  conform = CONFORM,
  atEnd: (remove: () => void) => void = onTestFinished,
): string {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'passk-models-')));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(path.join(folder, 'conform.toml'), conform);
  mkdirSync(path.join(folder, 'plugins'));
  for (const [plugin, text] of Object.entries(specs)) {
    const at = path.join(folder, 'specs', plugin);
    mkdirSync(at, { recursive: true });
    writeFileSync(path.join(at, 'model-conformance.yaml'), text);
    copyFileSync(ENTRY, path.join(at, 'entry.mjs'));
  }
  return folder;
}

/** The models of a folder, tested in this process. */
export function runModels(cwd: string, options: RunSuiteOptions = {}): Promise<SuiteReport> {
  return runSuite({ cwd, paths: ['.'], only: 'models', permissions: { run: true }, workers: 0, ...options });
}

/** What the models of a folder come to, whose entries see these variables. */
export async function checkModels(
  cwd: string,
  variables: Readonly<Record<string, string>>,
  options: RunSuiteOptions,
): Promise<readonly ModelReport[]> {
  Object.assign(process.env, variables);
  try {
    const permissions = { run: true, env: Object.keys(variables) };
    const { results } = await runModels(cwd, { permissions, ...options });
    return results.filter((one) => one.kind === 'model');
  } finally {
    for (const name of Object.keys(variables)) delete process.env[name];
  }
}

/** How each test ended, by its id. */
export function statesOf(results: readonly ModelReport[]): Readonly<Record<string, string>> {
  return Object.fromEntries(results.flatMap(({ cells }) => cells.map(({ test: id, state }) => [id, state])));
}
