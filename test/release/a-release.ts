import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runRelease, type RunReleaseOptions } from '../../src/release/run-release.ts';
import { makeKeys } from '../../src/release/signing-keys.ts';
import type { ScenarioDefinition } from '../../src/scenario/objects/define-scenario.ts';
import type { EvalResult } from '../../src/types/release/eval-result.ts';
import { aRouter } from '../suite/scenarios.ts';

/**
 * A scenario of one request, which always passes; `answer` "right" never does. Its two variants say the same in other bytes,
 * so that its trials are not all the same one.
 */
export function aCase(name: string, more: Partial<ScenarioDefinition> = {}, answer = 'left'): ScenarioDefinition {
  const variant = (content: string) => ({ content, promptTokens: 1000, completionTokens: 100 });
  return aRouter({
    name,
    trials: 1,
    intel: { turns: [{ variants: [variant(`{"way": "${answer}"}`), variant(`{"way":"${answer}"}`)] }] },
    expected: { lastNode: 'done' },
    ...more,
    // What a scenario tries tells it from others, not its name.
    trigger: { payload: { name } },
  });
}

/** Prices by which a trial of `aCase` costs 0.02 USD. */
export const RATES = `
id = "test"
effective = "2026-11-01"
[models.default]
input = 10
output = 100
`;

export const ATTACK = {
  suite: 'adversarial',
  attack: { owasp: ['ASI01'] },
  provenance: { refreshed: '2026-11-20' },
} as const;

/** Validation that somebody has reviewed for this release. */
export const REVIEWED = {
  suite: 'validation',
  provenance: { review: { by: 'ana', at: '2026-11-20', release: '1' } },
} as const;

/** Rules under which two scenarios, one of them an attack, are a whole release. */
export const LENIENT = {
  faithfulness: ['suites.validation.pass_rate >= 0.5'],
  maxAttackSuccess: 0.9,
  suites: ['validation', 'adversarial'],
} as const;

export interface ReleaseFolder {
  readonly folder: string;
  readonly publicKey: string;
  run(options?: Partial<RunReleaseOptions>): Promise<EvalResult>;
  file(name: string): string;
  read(name: string): Promise<string>;
  write(name: string, text: string): Promise<void>;
}

/** Calls `use` with a folder for releases, signed with a key of its own. */
export async function inReleaseFolder(use: (folder: ReleaseFolder) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'passk-release-'));
  const { privateKey, publicKey } = makeKeys();
  const file = (name: string): string => path.join(folder, name);
  await writeFile(file('rates.toml'), RATES);
  const run = (options: Partial<RunReleaseOptions> = {}): Promise<EvalResult> =>
    runRelease({
      cwd: folder,
      scenarios: [aCase('good', REVIEWED), aCase('attack', ATTACK)],
      workers: 0,
      tier: 'dev',
      key: privateKey,
      out: 'release.json',
      candidate: { name: 'router', version: '1' },
      asOf: '2026-11-25',
      rates: 'rates.toml',
      ...options,
      rules: { ...LENIENT, ...options.rules },
    });
  try {
    await use({
      folder,
      publicKey,
      run,
      file,
      read: (name) => readFile(file(name), 'utf8'),
      write: (name, text) => writeFile(file(name), text),
    });
  } finally {
    await rm(folder, { recursive: true });
  }
}
