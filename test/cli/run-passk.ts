import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

/** The built command line. */
export const PASSK = fileURLToPath(new URL('../../dist/bin/passk.cjs', import.meta.url));

export interface Ended {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Another copy of the command. */
  readonly command?: string;
  /** Is given the child while it runs, e.g. to interrupt it. */
  readonly meanwhile?: (child: ChildProcess) => void;
}

/** Runs passk as a user would, in a process of its own with a plain environment. */
export function runPassk(
  args: readonly string[],
  { cwd, env = {}, command = PASSK, meanwhile }: RunOptions = {},
): Promise<Ended> {
  const { CI: _ci, NO_COLOR: _noColor, FORCE_COLOR: _forceColor, COLUMNS: _columns, ...inherited } = process.env;
  const child = spawn(process.execPath, [command, ...args], {
    cwd: cwd ?? os.tmpdir(),
    env: { ...inherited, LANG: 'C.UTF-8', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      said[name] += text;
    });
  }
  meanwhile?.(child);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status, signal) => resolve({ status, signal, ...said }));
  });
}

/** An empty folder that goes away with the test. */
export function aFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'passk-cli-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export interface GreetingOptions {
  readonly name?: string;
  readonly trials?: number;
  /** Node that must be the last one; `done` is right. */
  readonly lastNode?: string;
  /** More lines of the scenario, at its top level. */
  readonly top?: string;
}

/** A scenario file that passes unless it expects another last node. */
export function aGreeting({
  name = 'greeting',
  trials = 8,
  lastNode = 'done',
  top = '',
}: GreetingOptions = {}): string {
  return `name = "${name}"
trials = ${trials}
${top}
[workflow]
inline = '''
name = "greeting"

[[start_nodes]]
name = "main"
source = "manual"
entry_node = "greet"

[[nodes]]
id = "greet"
type = "template_render"
template = "Hello, {{name}}."
input_from = "trigger"

[[nodes]]
id = "done"
type = "terminate"

[[edges]]
from = "greet"
to = "done"
'''

[trigger]
payload = { name = "Ada" }

[expected]
status = "completed"
last_node = "${lastNode}"
`;
}
