import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { atif } from '../../src/importers/atif/atif.ts';
import { harbor } from '../../src/importers/harbor.ts';
import { importAll, sourceOf } from './import-all.ts';
import { TRAJECTORY } from './sources/atif.ts';
import { exception, jobFiles, trialResult } from './sources/harbor.ts';

const folder = fileURLToPath(new URL('../../.passk/python-harbor', import.meta.url));
const required = (process.env['PASSK_REQUIRE'] ?? '').split(',');
const skips = !existsSync(folder) && !required.includes('harbor');
/** Harbor's models of results ask for a Python of its own; those of trajectories do not. */
const isYoung =
  existsSync(`${folder}/lib`) &&
  readdirSync(`${folder}/lib`).some((name) => /^python3\.(?:1[2-9]|[2-9]\d)$/.test(name));

const SCRIPT = `
import importlib, json, sys
module, name = sys.argv[1:]
model = getattr(importlib.import_module(module), name)
for line in sys.stdin:
    print(model.model_validate_json(line).model_dump_json(exclude_none=name == "Trajectory"))
`;

/** Documents as Harbor's own model reads and writes them. */
function throughHarbor(module: string, name: string, documents: readonly unknown[]): readonly string[] {
  const input = documents.map((one) => `${JSON.stringify(one)}\n`).join('');
  const args = ['-c', SCRIPT, `harbor.models.${module}`, name];
  const { status, stdout, stderr } = spawnSync(`${folder}/bin/python`, args, { input, encoding: 'utf8' });
  if (status !== 0) throw new Error(`Harbor's model refuses it: ${stderr}`);
  return stdout.trimEnd().split('\n');
}

it.skipIf(skips)(
  "the trajectories of these tests are ATIF by Harbor's own models, whose own text is read alike",
  () => {
    const documents = ['ATIF-v1.2', 'ATIF-v1.6', 'ATIF-v1.8'].map((schema_version) => ({
      ...TRAJECTORY,
      schema_version,
    }));
    const written = throughHarbor('trajectories.trajectory', 'Trajectory', documents);
    expect(written).toHaveLength(3);
    for (const [at, text] of written.entries()) {
      const expected = importAll(atif, sourceOf({ 'trajectory.json': JSON.stringify(documents[at]) }));
      expect(importAll(atif, sourceOf({ 'trajectory.json': text }))).toEqual(expected);
    }
    expect(() => throughHarbor('trajectories.trajectory', 'Trajectory', [{ ...TRAJECTORY, steps: [] }])).toThrow(
      'steps',
    );
  },
);

it.skipIf(skips || !isYoung)(
  "the trials of these tests are results by Harbor's own models, whose own text is read alike",
  () => {
    const trials = {
      passed: trialResult(),
      failed: trialResult({ verifier_result: { rewards: { reward: 0 } } }),
      crashed: trialResult({ verifier_result: null, exception_info: exception('AgentTimeoutError') }),
      unjudged: trialResult({ verifier_result: { rewards: null }, agent_result: null }),
    };
    const written = throughHarbor('trial.result', 'TrialResult', Object.values(trials));
    const theirs = Object.fromEntries(Object.keys(trials).map((name, at) => [name, written[at] ?? '']));
    const read = (files: Readonly<Record<string, unknown>>) => importAll(harbor, sourceOf(jobFiles(files), 'jobs'));
    const expected = read(trials);
    expect(Object.values(expected.sets).flat()).toHaveLength(4);
    expect(read(theirs)).toEqual(expected);
  },
);
