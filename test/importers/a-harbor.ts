import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../.passk/python-harbor', import.meta.url));
const required = (process.env['PASSK_REQUIRE'] ?? '').split(',');
/** Harbor's own models are not there, and nobody requires them. */
export const skipsHarbor = !existsSync(folder) && !required.includes('harbor');
/** Harbor's models of results ask for a Python of its own; those of trajectories do not. */
export const isYoung =
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
export function throughHarbor(module: string, name: string, documents: readonly unknown[]): readonly string[] {
  const input = documents.map((one) => `${JSON.stringify(one)}\n`).join('');
  const args = ['-c', SCRIPT, `harbor.models.${module}`, name];
  const { status, stdout, stderr } = spawnSync(`${folder}/bin/python`, args, {
    input,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (status !== 0) throw new Error(`Harbor's model refuses it: ${stderr}`);
  return stdout.trimEnd().split('\n');
}
