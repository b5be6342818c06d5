import { isMainThread } from 'node:worker_threads';
import { outliveNobody, watchParent } from '../src/pool/outlive-nobody.ts';

/** The entry of a worker process; its watching thread loads nothing else. */
if (isMainThread) {
  outliveNobody(import.meta.url);
  const [{ serveProcess }, { default: work, inspect }] = await Promise.all([
    import('../src/pool/serve-process.ts'),
    import('./trial-worker.ts'),
  ]);
  serveProcess({ work, inspect });
} else watchParent();
