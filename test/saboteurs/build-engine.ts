import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import type { Saboteur } from './saboteur.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Bundles the engine with one defect planted in it; rejects when the defect has no single place to go. Null: as it is. */
export async function buildEngine(saboteur: Saboteur | null, outfile: string): Promise<void> {
  await bundle('src/trial/build-program.ts', outfile, saboteur === null ? [] : [plant(saboteur)]);
}

/** Bundles what runs engines in a worker thread. */
export async function buildHunter(outfile: string): Promise<void> {
  await bundle('test/saboteurs/hunter.ts', outfile, []);
}

async function bundle(entry: string, outfile: string, plugins: Plugin[]): Promise<void> {
  await build({
    absWorkingDir: ROOT,
    entryPoints: [entry],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    packages: 'external',
    logLevel: 'silent',
    plugins,
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

function plant(saboteur: Saboteur): Plugin {
  const target = path.join(ROOT, 'src', saboteur.file);
  return {
    name: 'saboteur',
    setup: (esbuild) => {
      const filter = new RegExp(`${path.basename(saboteur.file).replaceAll('.', '\\.')}$`);
      esbuild.onLoad({ filter }, ({ path: loaded }) => {
        if (loaded !== target) return undefined;
        return { contents: sabotage(readFileSync(loaded, 'utf8'), saboteur), loader: 'ts' };
      });
    },
  };
}
