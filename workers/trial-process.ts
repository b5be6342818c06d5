import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { isMainThread } from 'node:worker_threads';
import { endWithParent, watchParent } from '../src/pool/worker/end-with-parent.ts';

/** The entry of a worker process; its watching thread loads nothing else. */
if (isMainThread) {
  endWithParent(pathToFileURL(process.argv[1] ?? '').href);
  Promise.all([import('../src/pool/worker/serve-process.ts'), import('./trial-worker.ts')]).then(
    ([{ serveProcess }, { default: work, inspect, endServers }]) => serveProcess({ work, inspect, endServers }),
  );
} else watchParent();
