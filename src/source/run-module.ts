import { statSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

/** A module that was given up. */
export class StuckModule extends Error {
  constructor() {
    super('it waits outside of its functions for something that never comes.');
  }
}

/** A pipe or device in place of a module: Node would wait for its other end. */
export class NoPlainModule extends Error {
  constructor() {
    super('it is no regular file.');
  }
}

/** What a module of the user exports. Rejects as `import()` does, and where the module waits for something that never comes. */
export async function runModule(url: string): Promise<Readonly<Record<string, unknown>>> {
  if (url.startsWith('file:') && isPipeOrDevice(fileURLToPath(url))) throw new NoPlainModule();
  let stopWaiting = (): void => {};
  // Node by itself would end the process: it has nothing left to do.
  const stuck = new Promise<never>((_, reject) => {
    const onIdle = (): void => reject(new StuckModule());
    process.once('beforeExit', onIdle);
    stopWaiting = () => void process.off('beforeExit', onIdle);
  });
  try {
    return (await Promise.race([import(url), stuck])) as Readonly<Record<string, unknown>>;
  } finally {
    stopWaiting();
  }
}

/** What is not there, or is a folder, fails by itself. */
function isPipeOrDevice(file: string): boolean {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats !== undefined && !stats.isFile() && !stats.isDirectory();
}
