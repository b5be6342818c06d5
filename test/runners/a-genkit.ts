import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RunnerStart } from '../../src/plugin/runner-type.ts';
import { aFolder } from './a-runner.ts';

/** Where `.ci/run` installs Genkit: too much to be installed with the project. */
export const GENKIT: string = fileURLToPath(new URL('../../.passk/genkit', import.meta.url));
const hasGenkit = existsSync(path.join(GENKIT, 'node_modules', 'genkitx-ollama'));
/** Tests that need Genkit skip without it, unless it is required (`PASSK_REQUIRE`). */
export const skipsGenkit: boolean = !hasGenkit && !(process.env['PASSK_REQUIRE'] ?? '').split(',').includes('genkit');

/** A project of Genkit's with models of these names, as its entry says them. */
export function aGenkitProject(models: readonly string[] = ['fake/one'], folder = aFolder()): Partial<RunnerStart> {
  const plugin = fileURLToPath(new URL('fake-plugin.mjs', import.meta.url));
  const entry = path.join(folder, 'conformance_entry.mjs');
  const spec = path.join(folder, 'model-conformance.yaml');
  writeFileSync(path.join(folder, 'package.json'), '{"private":true}');
  writeFileSync(spec, models.map((model) => `- model: ${model}\n`).join(''));
  writeFileSync(
    entry,
    `import { fakePlugin } from ${JSON.stringify(plugin)};\nexport const ai = await fakePlugin(import.meta.url);\n`,
  );
  return { entry, spec, cwd: folder, models, env: { FAKE_GENKIT: GENKIT } };
}
