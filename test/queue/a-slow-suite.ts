import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { aFolder, aGreeting } from '../cli/run-passk.ts';

/** Trials of a block, which is what a queue hands out. */
const BLOCK = 4096;

/** How many milliseconds each block of a slow suite waits. */
const VARIABLE = 'BLOCK_MS';

/**
 * For a worker that is still to be in the midst of its run when a test disturbs it, however fast the machine is: its
 * blocks take time of the clock, and next to none of a processor. Without it they take none.
 */
export const SLOW: NodeJS.ProcessEnv = { [VARIABLE]: '100' };

/** Plug-ins of such a suite, whose folder is the current one. */
export const SLOW_PLUGINS: readonly string[] = ['./slow.mjs'];

/** The same, on the command line. */
export const SLOW_FLAGS: readonly string[] = ['--plugin', './slow.mjs'];

/** A folder with a scenario of so many slow blocks, and one that fails. */
export function aSlowSuite({ blocks }: { readonly blocks: number }): string {
  const cwd = aFolder();
  writeFileSync(
    path.join(cwd, 'slow.mjs'),
    `const ms = Number(process.env.${VARIABLE} ?? 0);
let ran = 0;
export const slow = {
  kind: 'node', type: 'slow', summary: 'Takes its time now and then.', needs: () => [], labels: () => [],
  create: () => ({ reads: [], begin: () => {
    if (ran++ % ${BLOCK} === 0 && ms > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
    return { kind: 'done', output: 'fine' };
  } }),
};
`,
  );
  const slow = aGreeting({ name: 'a', trials: blocks * BLOCK }).replace(
    /type = "template_render"[^[]*/,
    'type = "slow"\n\n',
  );
  writeFileSync(path.join(cwd, 'a.toml'), slow);
  writeFileSync(path.join(cwd, 'b.toml'), aGreeting({ name: 'b', trials: 9_000, lastNode: 'greet' }));
  return cwd;
}
