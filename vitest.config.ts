import { availableParallelism } from 'node:os';
import process from 'node:process';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { BUILT, builtSources } from './test/support/built-sources.ts';
import { LongestFirst } from './test/support/longest-first.ts';

// A colour setting of the person who runs the tests must not change what the tests see.
delete process.env['FORCE_COLOR'];
// Node 20 reads these certificates at every start, which takes it longer than all else; no test needs an authority.
delete process.env['NODE_EXTRA_CA_CERTS'];

/**
 * Rooms whose test files get a process each: they end workers, count memory, or watch the process itself. Those of all others
 * share processes, and leave nothing behind in one: most of what such a file costs is to load what it tests, again for each.
 */
const APART = ['pool', 'queue', 'saboteurs', 'soak', 'workers'].map((room) => `test/${room}/**/*.test.ts`);

const PACKAGED = ['test/package/**', '**/node_modules/**'];

function project(name: string, test: TestProjectInlineConfiguration['test']): TestProjectInlineConfiguration {
  return {
    plugins: [builtSources()],
    test: {
      name,
      pool: 'forks',
      server: { deps: { external: [BUILT] } },
      setupFiles: ['test/support/law-seed.ts', 'test/support/equal-bytes.ts'],
      // What hangs is ended late: a machine that is busy with other work is slow, not wrong.
      testTimeout: 180_000,
      hookTimeout: 600_000,
      env: { NO_COLOR: '1', TZ: 'UTC' },
      ...test,
    },
  };
}

export default defineConfig({
  // `.passk` holds peers of other languages, in tens of thousands of files.
  server: { watch: { ignored: ['**/.passk/**'] } },
  test: {
    // By itself Vitest leaves a core free. Many tests wait for programs, servers and limits: others run meanwhile.
    maxWorkers: 2 * availableParallelism(),
    globalSetup: ['scripts/vitest-build.mjs'],
    sequence: { sequencer: LongestFirst },
    projects: [
      project('apart', { include: APART, exclude: PACKAGED }),
      project('together', { include: ['test/**/*.test.ts'], exclude: [...APART, ...PACKAGED], isolate: false }),
    ],
  },
});
