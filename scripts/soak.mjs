// Runs suites in one process again and again: `npm run soak -- --minutes 10`.
import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { parseArgs } from 'node:util';

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '10' } } });
const env = { ...process.env, PASSK_SOAK_MINUTES: values.minutes };
const { status } = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', 'test/soak'], {
  env,
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
