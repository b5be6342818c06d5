import process from 'node:process';
import { defineConfig } from 'vitest/config';

// A colour setting of the person who runs the tests must not change what the tests see.
delete process.env['FORCE_COLOR'];

export default defineConfig({
  test: {
    pool: 'forks',
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
