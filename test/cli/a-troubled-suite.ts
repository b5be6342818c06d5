import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { aFolder } from './run-passk.ts';

/** A folder with a scenario of each of these names, whose one node runs its code in each trial, and one that is good. */
export function aTroubledSuite(codes: Readonly<Record<string, string>>, { trials = 3, bad = '' } = {}): string {
  const cwd = aFolder();
  const nodes = Object.values(codes).map(
    (code, at) => `export const trouble${at} = {
  kind: 'node', type: 'trouble${at}', summary: 'Trouble.', needs: () => [], labels: () => [],
  create: () => ({ reads: [], begin: () => { ${code}; return { kind: 'done', output: 'fine' }; } }),
};`,
  );
  writeFileSync(
    path.join(cwd, 'nodes.mjs'),
    `import fs, { existsSync, writeFileSync, writeSync } from 'node:fs';
${nodes.join('\n')}
export const pid = {
  kind: 'node', type: 'pid', summary: 'Tells where it runs.', needs: () => [], labels: () => [],
  create: () => ({ reads: [], begin: () => { writeFileSync('pid', String(process.pid)); return { kind: 'done', output: 'fine' }; } }),
};`,
  );
  for (const [name, type, top] of [
    ...Object.keys(codes).map((name, at) => [name, `trouble${at}`, bad] as const),
    ['good', 'merge', ''] as const,
    ['pid', 'pid', ''] as const,
  ]) {
    if (name === 'pid' && bad === '') continue;
    writeFileSync(
      path.join(cwd, `${name}.toml`),
      `name = "${name}"
trials = ${trials}
${top}
[workflow]
inline = '''
name = "${name}"
[[start_nodes]]
name = "main"
source = "manual"
[[nodes]]
id = "n"
type = "${type}"
'''
[trigger]
kind = "manual"
[expected]
status = "completed"
`,
    );
  }
  return cwd;
}

/** Trials of a scenario in which something is drawn. */
export const DRAWN = 300;

/** Scenarios of these names, whose nodes run their code on one of the two answers of a model. */
export function aDrawnSuite(codes: Readonly<Record<string, string>>): string {
  const cwd = aFolder();
  const nodes = Object.entries(codes).map(
    ([name, code]) => `export const ${name} = {
  kind: 'node', type: '${name}', summary: 'Trouble.', needs: () => [], labels: () => [],
  create: () => ({
    reads: [{ from: 'path', path: 'ask.content' }],
    begin: ([said]) => { if (said === 'bad') { ${code} } return { kind: 'done', output: 'fine' }; },
  }),
};`,
  );
  writeFileSync(path.join(cwd, 'nodes.mjs'), nodes.join('\n'));
  for (const name of Object.keys(codes)) {
    writeFileSync(
      path.join(cwd, `${name}.toml`),
      `name = "${name}"
trials = ${DRAWN}
min_pass_rate = 0.5
[workflow]
inline = '''
name = "${name}"
start_nodes = [{ name = "main", source = "manual", entry_node = "ask" }]
nodes = [
  { id = "ask", type = "llm_infer", backend = "default", prompt = "hi" },
  { id = "n", type = "${name}" },
]
edges = [{ from = "ask", to = "n" }]
'''
[trigger]
kind = "manual"
[[intel.turns]]
[[intel.turns.variants]]
content = "good"
weight = 49
[[intel.turns.variants]]
content = "bad"
[expected]
status = "completed"
`,
    );
  }
  return cwd;
}
