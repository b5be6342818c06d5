import { availableParallelism } from 'node:os';
import process from 'node:process';
import { defineConfig } from 'vitest/config';

// A colour setting of the person who runs the tests must not change what the tests see.
delete process.env['FORCE_COLOR'];
// Node 20 reads these certificates at every start, which takes it longer than all else; no test needs an authority.
delete process.env['NODE_EXTRA_CA_CERTS'];

export default defineConfig({
  test: {
    pool: 'forks',
    // By itself Vitest leaves a core free: of two, tests would have one.
    maxWorkers: availableParallelism(),
    include: ['test/**/*.test.ts'],
    exclude: ['test/package/**', '**/node_modules/**'],
    globalSetup: ['scripts/vitest-build.mjs'],
    setupFiles: ['test/support/law-seed.ts'],
    // What hangs is ended late: a machine that is busy with other work is slow, not wrong.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    env: { NO_COLOR: '1', TZ: 'UTC' },
  },
});
