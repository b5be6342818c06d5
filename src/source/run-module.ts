import process from 'node:process';

/** A module that was given up. */
export class StuckModule extends Error {
  constructor() {
    super('it waits outside of its functions for something that never comes.');
  }
}

/** What a module of the user exports. Rejects as `import()` does, and where the module waits for something that never comes. */
export async function runModule(url: string): Promise<Readonly<Record<string, unknown>>> {
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
