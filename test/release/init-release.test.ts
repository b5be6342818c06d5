import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { initRelease } from '../../src/release/init-release.ts';
import { makeKeys } from '../../src/release/signing-keys.ts';
import { loadConfig } from '../../src/settings/load-config.ts';
import { aFolder, aGreeting, runPassk } from '../cli/run-passk.ts';
import { inReleaseFolder } from './a-release.ts';

const TRACE = aGreeting({
  name: 'trace',
  top: 'suite = "regression"\n[provenance]\nsource = { kind = "trace", trace_id = "t1" }',
});
const REVIEWED = aGreeting({
  name: 'reviewed',
  top: 'suite = "validation"\n[provenance]\nsource = { kind = "curated" }\nreview = { by = "ana", at = "2026-11-20", release = "1.4.0" }',
});
const AS_OF = '2026-11-25';

async function aProject(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = path.join(aFolder(), 'refunds');
  await mkdir(folder);
  for (const [file, text] of Object.entries(files)) await writeFile(path.join(folder, file), text);
  return folder;
}

describe('release init', () => {
  test('writes what is found, and what is missing as comments to fill in', async () => {
    const cwd = await aProject({
      'greeting.toml': aGreeting(),
      'trace.toml': TRACE,
      'reviewed.toml': REVIEWED,
      'broken.toml': 'name = "broken"\ntrials = "many"\n[workflow]\n',
      'package.json': '{"name": "refunds-bot", "version": "1.4.0"}',
    });
    const { file, text, isWritten } = await initRelease({ cwd, asOf: AS_OF });
    expect([file, isWritten, await readFile(path.join(cwd, file), 'utf8')]).toEqual(['passk.toml', true, text]);
    expect(text).toMatchInlineSnapshot(`
      "# What a release is judged by: passk release run --key release.key --out release.json
      [release]
      # How much it is trusted with: dev, internal, beta or production.
      tier = "dev"
      candidate = { name = "refunds-bot", version = "1.4.0" }
      # The release that reviews must name; without it, the version.
      # id = "2026-11"
      # Prices. What nobody prices makes cost insufficient, never free.
      # rates = "rates.toml"

      # Test material when this was written:
      #   validation   2 scenarios; 1 of them by default, since their files do not say
      #   regression   1 scenario
      #   exploration  none
      #   stress       none
      #   adversarial  none
      #   1 file cannot be loaded; passk validate says why

      [release.tiers.dev]
      trials = 4
      outcome = ["suites.validation.pass_rate >= 0.5"]
      # Without a rule faithfulness is insufficient: name the scenarios that show it.
      # faithfulness = ["scenario(greeting).pass_rate >= 0.9"]
      # The share of attacks that may succeed, by an upper bound; without it, it is only reported.
      # max_attack_success = 0.2
      # The most that a success may cost, in USD; take it from a record that you trust.
      # max_cost_per_success = …

      # Higher tiers ask where scenarios come from. Move these lines into the files, with what is true:
      #
      # greeting.toml
      #   suite = "validation"  # above the first table
      #   [provenance]
      #   source = { kind = "curated" }
      #   review = { by = "…", at = "2026-11-25", release = "1.4.0" }
      #
      # trace.toml
      #   [provenance]
      #   refreshed = "2026-11-25"
      #   consent = { policy = "…", basis = "…", at = "2026-11-25" }
      #   scrub = { at = "2026-11-25", removed = 0 }
      "
    `);
  });

  test('writes what loads, and a release runs with it', async () => {
    const cwd = await aProject({ 'greeting.toml': aGreeting(), 'release.key': makeKeys().privateKey });
    const init = await runPassk(['release', 'init'], { cwd });
    expect([init.status, init.stdout.split('\n')[0], init.stderr]).toEqual([0, 'Wrote [release] to passk.toml.', '']);
    const args = ['release', 'run', '--key', 'release.key', '--out', 'release.json', '--json'];
    const { status, stdout, stderr } = await runPassk(args, { cwd });
    expect([status, stderr]).toEqual([3, '']);
    expect(JSON.parse(stdout).body).toMatchObject({
      tier: 'dev',
      candidate: { name: 'refunds', version: '0.1.0' },
      axes: { outcome: { verdict: 'pass' }, cost: { verdict: 'pass' } },
    });
  });

  test('adds to settings that are there, and never writes over those of releases', async () => {
    const before = 'seed = 7';
    const cwd = await aProject({ 'greeting.toml': aGreeting(), 'passk.toml': before });
    const file = path.join(cwd, 'passk.toml');
    await initRelease({ cwd, asOf: AS_OF });
    const text = await readFile(file, 'utf8');
    expect(text.startsWith(`${before}\n\n# What a release is judged by`)).toBe(true);
    expect((await loadConfig({ file }))?.values).toMatchObject({ seed: 7, release: { tier: 'dev' } });
    await expect(initRelease({ cwd })).rejects.toMatchObject({ code: 'USAGE' });
    expect(await readFile(file, 'utf8')).toBe(text);
    expect((await initRelease({ cwd, dryRun: true })).isWritten).toBe(false);
    expect(await readFile(file, 'utf8')).toBe(text);
  });

  test('adds nothing to a module, and nothing to settings that cannot be read', async () => {
    const module = await aProject({ 'greeting.toml': aGreeting(), 'passk.config.mjs': 'export default {};' });
    await expect(initRelease({ cwd: module })).rejects.toMatchObject({ code: 'USAGE' });
    const broken = await aProject({ 'greeting.toml': aGreeting(), 'passk.toml': 'seed = ' });
    await expect(initRelease({ cwd: broken })).rejects.toMatchObject({ code: 'INPUT' });
    expect(await readFile(path.join(broken, 'passk.toml'), 'utf8')).toBe('seed = ');
  });

  test('suggests a ceiling only from a record, and takes prices only from a file of prices', async () => {
    await inReleaseFolder(async ({ folder, run, write }) => {
      const options = { cwd: folder, asOf: AS_OF, dryRun: true, scenarios: [] };
      const plain = (await initRelease(options)).text;
      expect(plain).toContain('# max_cost_per_success = …');
      expect(plain).toContain('\nrates = "rates.toml"\n');
      await run();
      const priced = (await initRelease({ ...options, prior: 'release.json' })).text;
      expect(priced).toContain('1.05 times the $0.02 of router 1.\n# max_cost_per_success = 0.021');
      await write('rates.toml', 'name = "something else"');
      expect((await initRelease(options)).text).toContain('# rates = "rates.toml"');
    });
  });

  test('writes names from anywhere as text of a comment or a string', async () => {
    const name = 'a\u007f"\\\n[release]\ntier = "production"\u202e';
    const cwd = await aProject({
      'package.json': JSON.stringify({ name, version: '1\u007f' }),
      'greeting.toml': aGreeting({ name: 'tidy' }),
    });
    await initRelease({ cwd });
    const values = (await loadConfig({ file: path.join(cwd, 'passk.toml') }))?.values;
    expect(values?.release).toMatchObject({ tier: 'dev', candidate: { name, version: '1\u007f' } });
  });
});
