// Vitest's global set-up: workers run the built bundle, so no test may run against a build older than its sources.
import { build } from './build.mjs';

export async function setup() {
  await build({ ifStale: true, tolerant: true });
}
