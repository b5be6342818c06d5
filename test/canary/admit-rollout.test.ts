import { readFileSync, rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { renderCanary } from '../../src/canary/render-canary.ts';
import { serveCanary } from '../../src/canary/serve-canary.ts';
import { canaryStatus, stepCanary } from '../../src/canary/step-canary.ts';
import { aCase, ATTACK, inReleaseFolder, type ReleaseFolder, REVIEWED } from '../release/a-release.ts';
import { aLine, NOW } from './a-canary.ts';

const stagesOf = (percents: readonly number[]): string =>
  percents
    .map(
      (percent) =>
        `[[stages]]\npercent = ${percent}\nmin_outcomes = 100\nmax_outcomes = 5000\nmin_pass_rate = 0.9\nmax_error_rate = 0.02\n`,
    )
    .join('');
const config = (top: string, percents: readonly number[] = [0, 5, 25, 100]): string =>
  `candidate = "2"\n${top}\n${stagesOf(percents)}`;
const NAMED = 'tier = "dev"\n[release]\nrecord = "release.json"\npublic_key = "release.key.pub"';
const OUTCOMES = Array.from({ length: 150 }, (_, i) => `${aLine(i)}\n`).join('');
const candidate = { name: 'router', version: '2' };

/** A folder with outcomes of a candidate that is to be rolled out, and the key of its releases. */
async function inRolloutFolder(use: (folder: ReleaseFolder) => Promise<void>): Promise<void> {
  await inReleaseFolder(async (folder) => {
    await folder.write('release.key.pub', folder.publicKey);
    await folder.write('good.jsonl', OUTCOMES);
    await folder.write('canary.toml', config(NAMED));
    await use(folder);
  });
}

const step = ({ folder }: ReleaseFolder) =>
  stepCanary({ config: 'canary.toml', outcomes: ['good.jsonl'], cwd: folder, now: () => NOW });

test('a candidate whose record passed begins, and every report says by which record', async () => {
  await inRolloutFolder(async (folder) => {
    const { bodyHash, signature } = await folder.run({ candidate });
    const release = { ...candidate, tier: 'dev', bodyHash, keyId: signature.keyId };
    const { report } = await step(folder);
    expect([report.percent, report.release]).toEqual([5, release]);
    expect(renderCanary(report).replaceAll(/\s+/g, ' ')).toContain(
      `router 2 passed for dev, by the record ${bodyHash.slice(0, 16)}`,
    );
    // From then on the journal says it.
    rmSync(folder.file('release.json'));
    await step(folder);
    expect((await canaryStatus({ config: 'canary.toml', cwd: folder.folder })).release).toEqual(release);
    expect(JSON.parse(readFileSync(folder.file('canary.state.json'), 'utf8'))).toMatchObject({ release });
  });
});

test('a candidate whose record is of another version, of a lower tier or failed does not begin', async () => {
  await inRolloutFolder(async (folder) => {
    const refused = async () => {
      const { report, read } = await step(folder);
      expect([report.state, report.percent, read]).toEqual(['refused', 0, 0]);
      expect((await canaryStatus({ config: 'canary.toml', cwd: folder.folder })).reasons).toEqual(report.reasons);
      await expect(serveCanary({ config: 'canary.toml', cwd: folder.folder })).rejects.toMatchObject({ code: 'USAGE' });
      return report.reasons.map(({ code, message }) => `${code}: ${message}`);
    };
    await folder.run();
    expect(await refused()).toEqual([
      'RELEASE: The record release.json is of router 1 for dev, and the candidate is 2.',
    ]);
    await folder.run({ candidate });
    await folder.write('canary.toml', config(NAMED.replace('dev', 'internal')));
    expect(await refused()).toEqual([
      'RELEASE: The record release.json is of router 2 for dev, and the rollout is for internal.',
    ]);
    await folder.run({ candidate, canary: [{ percent: 50, criterion: 'as above' }] });
    await folder.write('canary.toml', config(NAMED));
    expect(await refused()).toEqual([
      'RELEASE: The record release.json prescribes stages that the rollout leaves out: 50 %.',
    ]);
    await folder.run({ candidate, scenarios: [aCase('bad', REVIEWED, 'right'), aCase('attack', ATTACK)] });
    expect(await refused()).toEqual([
      'RELEASE: The release of router 2 for dev did not pass: the record release.json says fail.',
    ]);
  });
});

test('a record that was changed, is by somebody else, or was tried until it passed stops the first step', async () => {
  await inRolloutFolder(async (folder) => {
    const bad = [aCase('bad', REVIEWED, 'right'), aCase('attack', ATTACK)];
    await folder.run({ candidate, scenarios: bad });
    await folder.write(
      'release.json',
      (await folder.read('release.json')).replace('"verdict": "fail"', '"verdict": "pass"'),
    );
    await expect(step(folder)).rejects.toMatchObject({ code: 'INTEGRITY' });
    await folder.run({ candidate });
    await folder.write('canary.toml', config(`${NAMED}\nlog = "release-log.jsonl"`));
    await expect(step(folder)).rejects.toThrow('it was tried again');
    await folder.write('canary.toml', config(NAMED));
    await inReleaseFolder(async ({ publicKey }) => folder.write('release.key.pub', publicKey));
    await expect(step(folder)).rejects.toThrow('Somebody else signed it');
    await folder.write('canary.toml', config(NAMED.replace('release.json', 'none.json')));
    await expect(step(folder)).rejects.toMatchObject({ code: 'INPUT' });
  });
});

test('a rollout of beta or production without a record says that nothing shows its release', async () => {
  await inRolloutFolder(async (folder) => {
    const said = async (tier: string) => {
      await folder.write('canary.toml', config(`tier = "${tier}"`));
      rmSync(folder.file('canary.state.json.journal'), { force: true });
      const { report } = await step(folder);
      return [report.release, renderCanary(report).includes('No record was shown')];
    };
    expect(await said('dev')).toEqual([null, false]);
    expect(await said('production')).toEqual([null, true]);
  });
});
