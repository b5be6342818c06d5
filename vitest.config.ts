import { availableParallelism } from 'node:os';
import process from 'node:process';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';

// A colour setting of the person who runs the tests must not change what the tests see.
delete process.env['FORCE_COLOR'];
// Node 20 reads these certificates at every start, which takes it longer than all else; no test needs an authority.
delete process.env['NODE_EXTRA_CA_CERTS'];

/**
 * Rooms whose tests share processes: most of what such a file costs is to load what it tests, again for each. They
 * leave nothing behind in a process. Those of other rooms end workers, count memory, or watch the process itself.
 */
const TOGETHER = [
  'agents',
  'audit',
  'baseline',
  'canary',
  'checks',
  'compatibility',
  'effects',
  'engine',
  'faithfulness',
  'faults',
  'fuzz',
  'gate',
  'generators',
  'golden',
  'importers',
  'intelligence',
  'judges',
  'laws',
  'matching',
  'mutations',
  'pii',
  'plugin',
  'policy',
  'random',
  'records',
  'release',
  'report',
  'runners',
  'scenario',
  'schema',
  'secrets',
  'sessions',
  'settings',
  'source',
  'stats',
  'suite',
  'suites',
  'text',
  'trial',
  'values',
  'vitest',
  'web',
  'workflow',
].map((room) => `test/${room}/**/*.test.ts`);

function project(name: string, test: TestProjectInlineConfiguration['test']): TestProjectInlineConfiguration {
  return {
    test: {
      name,
      pool: 'forks',
      setupFiles: ['test/support/law-seed.ts', 'test/support/equal-bytes.ts'],
      // What hangs is ended late: a machine that is busy with other work is slow, not wrong.
      testTimeout: 180_000,
      hookTimeout: 180_000,
      env: { NO_COLOR: '1', TZ: 'UTC' },
      ...test,
    },
  };
}

export default defineConfig({
  test: {
    // By itself Vitest leaves a core free. Many tests wait for programs, servers and limits: others run meanwhile.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    globalSetup: ['scripts/vitest-build.mjs'],
    sequence: { sequencer: LongestFirst },
    projects: [
      project('apart', {
        include: ['test/**/*.test.ts'],
        exclude: [...TOGETHER, 'test/package/**', '**/node_modules/**'],
      }),
      project('together', { include: TOGETHER, isolate: false }),
    ],
  },
});
