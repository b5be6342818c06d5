import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, transform } from 'esbuild';
import type { Saboteur } from './saboteur.ts';
import type { EngineModule, Planted, Spot } from './sighting.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Where the engine begins. */
const ENTRY = 'src/trial/build-program.ts';

/** Every module of the engine, the one where it begins first. */
export async function engineModules(): Promise<readonly EngineModule[]> {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [ENTRY],
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  const others = Object.keys(metafile.inputs).filter((file) => file !== ENTRY);
  return Promise.all([ENTRY, ...others].map((file) => translated(file, sourceOf(file))));
}

/** Plants a defect into one of the engine's modules; rejects when it has no single place to go. */
export async function plant(saboteur: Saboteur, modules: readonly EngineModule[]): Promise<Planted> {
  const file = `src/${saboteur.file}`;
  const real = modules.find((module) => module.file === file);
  if (real === undefined)
    throw new Error(`The saboteur "${saboteur.name}" is stale: ${file} is no part of the engine.`);
  const module = await translated(file, sabotage(sourceOf(file), saboteur));
  return { saboteur, module, spot: { file, ...changedPart(real.code, module.code) } };
}

/** The part of a text without which it begins and ends as the other does. */
function changedPart(text: string, other: string): Omit<Spot, 'file'> {
  const most = Math.min(text.length, other.length);
  let start = 0;
  while (start < most && text[start] === other[start]) start++;
  let same = 0;
  while (same < most - start && text.at(-1 - same) === other.at(-1 - same)) same++;
  return { start, end: text.length - same };
}

function sourceOf(file: string): string {
  return readFileSync(path.join(ROOT, file), 'utf8');
}

async function translated(file: string, source: string): Promise<EngineModule> {
  const { code } = await transform(source, {
    loader: 'ts',
    format: 'cjs',
    platform: 'node',
    target: 'node20.19',
    define: { 'import.meta.url': 'moduleUrl' },
    // A module that is loaded later is loaded by the same `require`.
    supported: { 'dynamic-import': false },
  });
  return { file, code };
}

/** Bundles what runs engines in a worker thread. */
export async function buildHunter(outfile: string): Promise<void> {
  await build({
    absWorkingDir: ROOT,
    entryPoints: ['test/saboteurs/hunter.ts'],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    packages: 'external',
    logLevel: 'silent',
  });
}

/** The source with the defect; throws when the code it replaces is not there exactly once. */
export function sabotage(source: string, { name, file, find, replace }: Saboteur): string {
  const pieces = source.split(codePattern(find));
  if (pieces.length === 2) return pieces.join(replace);
  const found = pieces.length === 1 ? 'not there' : `there ${pieces.length - 1} times`;
  throw new Error(
    `The saboteur "${name}" is stale: its code is ${found} in src/${file}. Name the new one for:\n${find}`,
  );
}

/** Matches the same tokens in any layout: names, numbers and signs, with any spaces and line breaks between them. */
function codePattern(code: string): RegExp {
  const tokens = code.match(/[\w$]+|[^\w$\s]/gu) ?? [];
  const spelled = tokens.map((token) => token.replace(/[\\^$.*+?()[\]{}|/]/gu, '\\$&'));
  return new RegExp(spelled.join('\\s*'), 'u');
}
