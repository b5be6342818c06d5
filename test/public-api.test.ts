import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import * as passk from '../src/index.ts';
import * as plugin from '../src/plugin/index.ts';
import * as stats from '../src/stats/index.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const run = promisify(execFile);

/** What the script prints of these declarations; none: those of the package. */
async function undocumented(files: readonly string[] = []): Promise<readonly string[]> {
  const script = path.join(ROOT, 'scripts/find-undocumented.mjs');
  const { stdout } = await run(process.execPath, [script, ...files]).catch(
    (error: { readonly stdout: string }) => error,
  );
  return stdout.split('\n').filter((line) => line !== '');
}

test('every export, and every property of every type that one comes to from there, has a text that an editor shows', async () => {
  expect(await undocumented()).toEqual([]);
});

test('a text that is missing is found: of exports, bases, picked types, unions, types they name, and whatever is written inside', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'passk-texts-'));
  try {
    writeFileSync(
      path.join(folder, 'base.d.ts'),
      'interface Base {\n  readonly inherited: string;\n  readonly kind: "word";\n}\nexport type { Base };\n' +
        'interface Far {\n  readonly beyond: number;\n}\nexport interface Near {\n  readonly far: Far;\n}\n',
    );
    const entry = path.join(folder, 'entry.d.ts');
    writeFileSync(
      entry,
      `import type { Base, Near } from './base.d.ts';
export declare function bare(): void;
/** Has a text. */
export interface Told extends Base {
  /** Has a text. */
  readonly told: { readonly deep: readonly { readonly deeper: number }[] };
  method(): void;
}
/** Has a text. */
export type Picked = Pick<Base, 'inherited'>;
/** Has a text. */
export type Either = { readonly kind: 'one' } | { readonly kind: 'two'; readonly left: null };
/** Has a text. */
export declare class Made {
  private readonly hidden: string;
  readonly shown: string;
}
/** Has a text. */
export declare function take(near: Near): void;
`,
    );
    expect(await undocumented([entry])).toEqual(
      [
        'Base.inherited',
        'Either.left',
        'Far.beyond',
        'Made.shown',
        'Near.far',
        'Picked.inherited',
        'Told.inherited',
        'Told.method',
        'Told.told.deep',
        'Told.told.deep.deeper',
        'bare',
      ].sort(),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

describe('each name that programs can import', () => {
  const docs = textsIn('docs', /\.md$/);
  // Whoever uses a name writes it; this file lists none.
  const examples = docs.flatMap((text) =>
    [...text.matchAll(/^```(?:ts|js)\b[^\n]*\n[\s\S]*?^```$/gm)].map(([code]) => code),
  );
  const uses = [...textsIn('test', /\.(ts|mjs)$/), ...textsIn('src/cli', /\.ts$/), ...examples];

  test.each([
    ['passk', Object.keys(passk)],
    ['passk/plugin', Object.keys(plugin)],
    ['passk/stats', Object.keys(stats)],
  ])('of %s stands in the documentation, as code', (_, names) => {
    const coded = docs.flatMap((text) => [...text.matchAll(/```[\s\S]*?```|`[^`\n]+`/g)].map(([code]) => code));
    expect(names.filter((name) => !coded.some((code) => hasWord(code, name)))).toEqual([]);
  });

  test.each([
    ['passk', Object.keys(passk)],
    ['passk/plugin', Object.keys(plugin)],
    ['passk/stats', Object.keys(stats)],
  ])('of %s is used by a test, by the command line that tests run, or by an example that they run', (_, names) => {
    expect(names.filter((name) => !uses.some((text) => hasWord(text, name)))).toEqual([]);
  });
});

function hasWord(text: string, word: string): boolean {
  return text.includes(word) && new RegExp(`\\b${word}\\b`).test(text);
}

function textsIn(folder: string, name: RegExp): readonly string[] {
  return readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => name.test(file) && path.basename(file) !== 'public-api.test.ts')
    .map((file) => readFileSync(path.join(ROOT, folder, file), 'utf8'));
}
