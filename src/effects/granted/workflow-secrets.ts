import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import type { LookupFunction } from 'node:net';
import path from 'node:path';
import { SCENARIO_DIR } from '../../policy/canonical-path.ts';
import { visibleText } from '../../text/visible-text.ts';
import type { Permissions } from '../../types/permissions.ts';
import type { SecretSource } from '../../types/workflow.ts';
import { secretsIn } from '../../values/secret-names.ts';
import { grantsWord } from '../granted-ports.ts';
import { FileGrants, realName } from './file-grants.ts';
import { findProgram, onProgramPath, refuseProgram } from './granted-programs.ts';
import { type AccessToken, askForToken, tokenRefusal } from './oauth2-token.ts';
import { osErrorText } from './os-error-text.ts';
import { inOwnFolder } from './own-folder.ts';
import { runProgram } from './run-program.ts';
import type { FilledValues, Secrets } from './secrets.ts';

/** The secrets of one workflow: those of its `[[secrets]]` where they are kept, all others in the environment. */
export interface WorkflowSecrets {
  /** The sentence that names the flag for the first secret that is not granted; null: all are. */
  refusal(values: Readonly<Record<string, string>>): string | null;
  /** Values with their secrets in place, or why there are none. `kind`: what the values belong to. Reads what is granted. */
  fill(
    values: Readonly<Record<string, string>>,
    kind: 'header' | 'variable',
  ): Promise<FilledValues | { readonly problem: string }>;
  /** A text without the values of secrets that were ever filled in. */
  scrub(text: string): string;
}

export interface WorkflowSecretsOptions {
  readonly secrets: Secrets;
  readonly permissions: Permissions;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where relative paths start, and what `${SCENARIO_DIR}` stands for; null: the scenario was made in memory. */
  readonly folder: string | null;
  readonly lookup: LookupFunction;
}

/** A file with a secret is no larger. */
const MOST_BYTES = 64 * 1024;
const COMMAND_MS = 30_000;

type Value = string | { readonly problem: string };

export function workflowSecrets(declared: readonly SecretSource[], options: WorkflowSecretsOptions): WorkflowSecrets {
  const { secrets, permissions, env } = options;
  const byName = new Map(declared.map((source) => [source.name, source]));
  const files = new FileGrants(permissions);
  /** Programs are run, and tokens asked for, once for all that want them at a time. */
  const commands = new Map<string, Promise<Value>>();
  const tokens = new Map<string, Promise<AccessToken | { readonly problem: string }>>();

  const variable = (name: string): Value => {
    const value = grantsWord(permissions.env, name) && Object.hasOwn(env, name) ? (env[name] ?? '') : '';
    return value.trim() === '' ? { problem: `environment variable \`${visibleText(name)}\` is unset or blank` } : value;
  };

  const secretAt = async (source: SecretSource): Promise<Value> => {
    switch (source.source) {
      case 'env':
        return variable(source.variable);
      case 'file': {
        const file = realName(placed(source.path, options.folder));
        return files.covers(file, 'read')
          ? textOf(file, source)
          : { problem: `${visibleText(source.path)} is not granted` };
      }
      case 'command': {
        const running = commands.get(source.name) ?? outputOf(source.argv, options);
        commands.set(source.name, running);
        return running;
      }
      case 'oauth2': {
        const hit = await tokens.get(source.name);
        if (hit !== undefined && 'value' in hit && hit.untilMs > Date.now()) return hit.value;
        const asking = askForToken(source, { ...options, variable });
        tokens.set(source.name, asking);
        const token = await asking;
        return 'problem' in token ? token : token.value;
      }
    }
  };

  return {
    refusal: (values) => {
      const others: [string, string][] = [];
      for (const [place, value] of Object.entries(values)) {
        for (const name of secretsIn(value)) {
          const source = byName.get(name);
          const needs = source === undefined ? null : needsOf(source, { ...options, files });
          if (needs !== null) return `The secret ${visibleText(name)} needs ${needs}.`;
          if (source === undefined) others.push([place, `{{secret:${name}}}`]);
        }
      }
      return others.map(([place, value]) => secrets.refusal({ [place]: value })).find((text) => text !== null) ?? null;
    },
    fill: async (values, kind) => {
      const resolved = new Map<string, string>();
      for (const [place, value] of Object.entries(values)) {
        for (const name of secretsIn(value)) {
          const source = byName.get(name);
          if (source === undefined || resolved.has(name)) continue;
          const found = await secretAt(source);
          const problem = typeof found !== 'string' ? found.problem : found.trim() === '' ? 'its value is blank' : null;
          if (problem !== null) return { problem: `${kind} \`${place}\`: secret \`${visibleText(name)}\`: ${problem}` };
          resolved.set(name, found as string);
        }
      }
      const filled = secrets.fill(values, resolved);
      if (!('missing' in filled)) return filled;
      const why = 'not declared in [[secrets]], and the environment variable of that name is unset or blank';
      return { problem: `${kind} \`${filled.place}\`: secret \`${visibleText(filled.missing)}\`: ${why}` };
    },
    scrub: (text) => secrets.scrub(text),
  };
}

interface Granting extends WorkflowSecretsOptions {
  readonly files: FileGrants;
}

/** The flag that grants a secret; null: it is granted, or nothing could grant it. */
function needsOf(source: SecretSource, { permissions, folder, files }: Granting): string | null {
  switch (source.source) {
    case 'env':
      return grantsWord(permissions.env, source.variable) ? null : `--allow-env=${visibleText(source.variable)}`;
    case 'file': {
      const file = realName(placed(source.path, folder));
      return files.covers(file, 'read') ? null : `--allow-read=${visibleText(file)}`;
    }
    case 'command': {
      const [command = ''] = source.argv;
      const program = programOf(command);
      return program === null || refuseProgram(permissions.run, program) === null
        ? null
        : `--allow-run=${visibleText(command)}`;
    }
    case 'oauth2':
      return tokenRefusal(source, permissions);
  }
}

function placed(file: string, folder: string | null): string {
  const base = folder ?? process.cwd();
  return path.resolve(
    base,
    file.replaceAll(SCENARIO_DIR, () => base),
  );
}

function textOf(file: string, { path: shown, trim }: Extract<SecretSource, { readonly source: 'file' }>): Value {
  let descriptor: number | null = null;
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) return { problem: `${visibleText(shown)} is no file` };
    if (stats.size > MOST_BYTES) return { problem: `${visibleText(shown)} has more than ${MOST_BYTES} bytes` };
    const text = readFileSync(descriptor, 'utf8');
    return trim ? text.trim() : text;
  } catch (error) {
    return { problem: `read ${visibleText(shown)}: ${osErrorText(error) ?? String(error)}` };
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
}

/** Unlike `shell_run`, a secret's program may be named by what the system's folders hold under that name. */
function programOf(name: string): string | null {
  return name.startsWith('/') ? name : onProgramPath(name);
}

async function outputOf(
  [name = '', ...args]: readonly string[],
  { permissions, folder }: WorkflowSecretsOptions,
): Promise<Value> {
  const shown = visibleText(name);
  const program = programOf(name);
  if (program === null) return { problem: `there is no program ${shown}` };
  if (refuseProgram(permissions.run, program) !== null) return { problem: `${shown} is not granted` };
  const found = findProgram(program);
  if (found.kind === 'failed') return { problem: found.text };
  try {
    const ended = await inOwnFolder((scratchFolder) =>
      runProgram({
        file: found.file,
        name,
        args,
        folder: scratchFolder,
        ...(folder !== null && { cwd: folder }),
        timeoutMs: COMMAND_MS,
        ends: [],
      }),
    );
    if (ended.cut !== null) return { problem: `${shown} took longer than ${COMMAND_MS} ms, or printed too much` };
    if (ended.exitCode !== 0) return { problem: `${shown} ended with exit code ${ended.exitCode}` };
    return ended.stdout.toString('utf8').trim();
  } catch (error) {
    return { problem: `spawn ${shown}: ${osErrorText(error) ?? String(error)}` };
  }
}
