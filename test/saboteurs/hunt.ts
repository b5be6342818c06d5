import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { buildHunter } from './build-engine.ts';
import type { Findings, Hunt, Order, Planted } from './sighting.ts';

/** Bundles lie where packages are found. */
const CACHE = fileURLToPath(new URL('../../node_modules/.cache/', import.meta.url));
/** What never ends is ended; a machine that is busy with other work is slow. */
const LIMIT_MS = 150_000;

/** Looks at engines one after the other, in a worker thread. */
export interface Hunter {
  /** Null: at the real engine. Rejects for a defect whose engine cannot be loaded or never ends: it proves nothing. */
  look(planted: Planted | null, order: Omit<Order, 'changed' | 'noticedBy'>): Promise<Findings>;
  close(): Promise<void>;
}

/** A folder for the bundles of one run, and how to be rid of it. */
export function bundleFolder(): { readonly folder: string; remove(): void } {
  const folder = path.join(CACHE, `passk-saboteurs-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

export async function openHunter(hunt: Hunt, { folder, number }: { folder: string; number: number }): Promise<Hunter> {
  const script = path.join(folder, `hunter-${number}.mjs`);
  await buildHunter(script);
  let worker: Worker | null = null;
  return {
    look: async (planted, order) => {
      worker ??= new Worker(script, { workerData: hunt });
      const noticedBy = planted?.saboteur.noticedBy ?? 'verdict';
      try {
        return await ask(worker, { ...order, noticedBy, changed: planted?.module ?? null });
      } catch (cause) {
        // Whatever is wrong with the thread, the next engine gets a fresh one.
        await worker.terminate();
        worker = null;
        throw new Error(`The saboteur "${planted?.saboteur.name}" breaks the hunt: ${String(cause)}`, { cause });
      }
    },
    close: async () => void (await worker?.terminate()),
  };
}

function ask(worker: Worker, order: Order): Promise<Findings> {
  return new Promise((resolve, reject) => {
    const gone = (): void => reject(new Error('The thread is gone.'));
    const timer = setTimeout(() => reject(new Error(`No answer for ${LIMIT_MS} ms.`)), LIMIT_MS);
    worker.once('error', reject).once('exit', gone);
    worker.once('message', (findings: Findings) => {
      clearTimeout(timer);
      worker.off('error', reject).off('exit', gone);
      resolve(findings);
    });
    worker.postMessage(order);
  });
}
