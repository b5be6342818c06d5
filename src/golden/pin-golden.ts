import path from 'node:path';
import { PasskError } from '../errors.ts';
import { fileProblem } from '../values/file-problem.ts';
import { readPlain } from '../records/open-plain.ts';
import { resolveRunOptions } from '../settings/options.ts';
import { isModuleFile } from '../source/scan-folder.ts';
import { loadFor } from '../suite/load-suite.ts';
import { requireLoaded } from '../suite/require-loaded.ts';
import { GOLDEN_SCHEMA, type GoldenFile, type GoldenSet } from '../types/golden/golden-set.ts';
import { VERSION } from '../version.ts';
import { hashOfFiles, isElsewhere, sha256, type UnsealedGolden, writeGolden } from './golden-file.ts';
import type { PinGoldenOptions } from './golden-options.ts';
import { sampleRuns } from './sample-run.ts';

/**
 * Writes down which files are the golden set, by what stands in them, and how the baseline does on it; null: it was stopped, and
 * nothing was written. Rejects with `INPUT` where the set does not load, has no trial, or has files outside of the folder.
 */
export async function pinGolden({ out, runs = 1, ...options }: PinGoldenOptions): Promise<GoldenSet | null> {
  const cwd = path.resolve(options.cwd ?? process.cwd());
  const file = path.resolve(cwd, out);
  const agents = options.agents === undefined ? null : path.resolve(cwd, options.agents);
  const pinned = await pinnedFiles({ ...options, cwd }, path.dirname(file), agents);
  const sampled = await sampleRuns({ ...options, ...tasksOf(pinned, path.dirname(file)), cwd }, runs);
  if (sampled === null) return null;
  const set: UnsealedGolden = {
    schema: GOLDEN_SCHEMA,
    passk: VERSION,
    hash: hashOfFiles(pinned),
    files: pinned,
    seed: options.seed ?? 0,
    trials: options.trials ?? null,
    agents: agents === null ? null : { file: options.agents ?? '', sha256: sha256(await readPlain(agents)) },
    runs: sampled.map(({ run }) => run),
    judged: null,
    accepted: null,
  };
  return writeGolden(file, set, out);
}

/** The options that run the tasks of a set, which may be by anybody. Throws `INPUT` for a module, which would be run. */
export function tasksOf(files: readonly GoldenFile[], folder: string): { readonly paths: readonly string[] } {
  const tasks = files.flatMap(({ name, kind }) => (kind === 'tasks' ? [name] : []));
  const module = tasks.find(isModuleFile);
  if (module !== undefined) {
    throw new PasskError('INPUT', `${module} is a module, which no golden set holds.`, {
      hint: 'Pin tasks that stand in files of TOML.',
    });
  }
  return { paths: tasks.map((name) => path.join(folder, name)) };
}

/** All that loading the set reads, but for the agents that are tried on it. */
async function pinnedFiles(
  options: Omit<PinGoldenOptions, 'out' | 'runs'> & { readonly cwd: string },
  folder: string,
  agents: string | null,
): Promise<readonly GoldenFile[]> {
  const resolved = resolveRunOptions(options);
  const read = new Set<string>();
  const input = await loadFor(resolved, { onRead: (file) => void read.add(path.resolve(file)) });
  requireLoaded(input, { keepGoing: false });
  const tasks = new Set(input.suite.files.map((name) => path.resolve(input.root, name)));
  const files = await Promise.all(
    [...new Set([...tasks, ...read])]
      .filter((file) => file !== agents)
      .map(async (file): Promise<GoldenFile> => {
        const name = path.relative(folder, file).split(path.sep).join('/');
        if (isElsewhere(name)) {
          throw new PasskError('INPUT', `The golden set has a file outside of the folder of --out: ${name}.`, {
            hint: 'Write it to a folder above all files of the set.',
          });
        }
        return { name, sha256: sha256(await bytesOf(file, name)), kind: tasks.has(file) ? 'tasks' : 'read' };
      }),
  );
  return files.sort((one, other) => (one.name < other.name ? -1 : 1));
}

async function bytesOf(file: string, name: string): Promise<Uint8Array> {
  return readPlain(file).catch((cause: unknown) => {
    throw new PasskError('INPUT', `${name} cannot be read: ${fileProblem(cause)}.`, { cause });
  });
}
