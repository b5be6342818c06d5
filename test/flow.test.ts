import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { aFolder } from './cli/run-passk.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** What a scenario may pass at most. */
const MOST_FILES = 30;

interface DrawnWay {
  /** The functions of the way, each with its file. */
  readonly steps: readonly (readonly [file: string, name: string])[];
  /** How many files that is, as the text says. */
  readonly claimed: number;
}

function drawnWay(): DrawnWay {
  const text = readFileSync(path.join(ROOT, 'docs', 'architecture.md'), 'utf8');
  const [, section = ''] = text.split('## The way of one scenario');
  const steps = [...section.matchAll(/`([\w/-]+\.ts)`((?:,? `\w+`)+)/g)].flatMap(([, file = '', names = '']) =>
    [...names.matchAll(/\w+/g)].map(([name]) => [file, name] as const),
  );
  return { steps, claimed: Number(/That is (\d+) files/.exec(section)?.[1]) };
}

interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly functionName: string;
      readonly ranges: readonly { readonly count: number }[];
    }[];
  }[];
}

/** Names of the functions that ran, by source file. */
async function functionsThatRan(scenario: string): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const folder = aFolder();
  const args = [path.join(ROOT, 'dist', 'src', 'cli', 'main.js'), 'run', scenario, '--workers', '0'];
  await promisify(execFile)(process.execPath, args, { cwd: ROOT, env: { ...process.env, NODE_V8_COVERAGE: folder } });
  const files = new Map<string, Set<string>>();
  for (const name of readdirSync(folder)) {
    const { result } = JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as Coverage;
    for (const { url, functions } of result) {
      const [, file] = /\/dist\/src\/(.*)\.js$/.exec(url) ?? [];
      if (file === undefined) continue;
      const ran = functions.filter(({ ranges: [first] }) => (first?.count ?? 0) > 0);
      files.set(`${file}.ts`, new Set(ran.map(({ functionName }) => functionName.split('.').at(-1) ?? '')));
    }
  }
  return files;
}

test('a canned scenario goes from text to line by the way that the architecture draws', async () => {
  const { steps: drawn, claimed } = drawnWay();
  expect(drawn.map(([file]) => file).filter((file) => !existsSync(path.join(ROOT, 'src', file)))).toEqual([]);
  expect(new Set(drawn.map(([file]) => file)).size).toBe(claimed);
  expect(claimed).toBeLessThanOrEqual(MOST_FILES);
  const ran = await functionsThatRan('corpus/reliability/fragile-router.toml');
  expect(drawn.filter(([file, name]) => ran.get(file)?.has(name) !== true)).toEqual([]);
});
