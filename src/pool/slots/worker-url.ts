import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { PasskError } from '../../errors.ts';

const THREAD = 'load-trial-worker.cjs';
const PROCESS = 'load-trial-process.cjs';

/**
 * Where the file of a worker thread is, seen from the module at `here`: the command's bundle (dist/bin), the library
 * (dist/src/pool) or the sources (src/pool). Rejects with `POOL` when it has not been built or not from these sources.
 */
export function workerUrl(here: string = import.meta.url): Promise<URL> {
  return urlOf(THREAD, here);
}

/** Where the file of a worker process is, as `workerUrl`. */
export function processUrl(here: string = import.meta.url): Promise<URL> {
  return urlOf(PROCESS, here);
}

/** Why no worker starts any more, although the module at `url` was there when the run began; null: it still is. */
export function goneFile(url: string | URL): string | null {
  const file = fileURLToPath(url);
  return existsSync(file) ? null : `their file ${file} is gone, as when passk is installed anew while it runs`;
}

async function urlOf(file: string, here: string): Promise<URL> {
  const path = fileURLToPath(here);
  const folder = dirname(path);
  if (path.endsWith('.ts')) return builtFrom(join(folder, '..', '..', '..'), file);
  const candidates = [join(folder, file), join(folder, '..', '..', '..', 'bin', file)];
  const found = candidates.find((candidate) => existsSync(candidate));
  if (found !== undefined) return pathToFileURL(found);
  throw new PasskError('POOL', `The worker's file is missing: neither of ${candidates.join(', ')} exists.`, {
    hint: 'Install the package again; if you bundle it, put the .cjs and .mjs files of its dist/bin beside your bundle.',
  });
}

async function builtFrom(root: string, file: string): Promise<URL> {
  const hint = 'Run `npm run build`.';
  const built = join(root, 'dist', 'bin', file);
  const stamp = join(root, 'dist', 'stamp.txt');
  if (!existsSync(built) || !existsSync(stamp)) {
    throw new PasskError('POOL', `The worker's file has not been built: ${built} does not exist.`, { hint });
  }
  // Only a checkout has sources to compare the build with.
  const script = pathToFileURL(join(root, 'scripts', 'build.mjs')).href;
  const { hashSources } = (await import(script)) as { readonly hashSources: () => string };
  if (readFileSync(stamp, 'utf8') === hashSources()) return pathToFileURL(built);
  throw new PasskError('POOL', `The worker's file ${built} was not built from the present sources.`, { hint });
}
