import { existsSync } from 'node:fs';
import path from 'node:path';
import { findProgram, onProgramPath, PROGRAM_PATH, refuseProgram } from '../effects/granted/granted-programs.ts';
import { grantsWord } from '../effects/granted-ports.ts';
import type { RunnerStart } from '../plugin/runner-type.ts';
import { visibleText } from '../text/visible-text.ts';

/** A program that may be started, or a sentence that says why not. */
export type FoundRunner =
  | { readonly kind: 'program'; readonly program: { readonly file: string; readonly name: string } }
  | { readonly kind: 'refused'; readonly text: string };

/** Where `node`, `npx` and what is installed for all of them lie: beside the Node that runs passk. */
const NODE_FOLDER = path.dirname(process.execPath);

/** Where programs are looked for, and the PATH of what is started: that of granted programs, with the Node of passk. */
export const RUNNER_PATH: string = PROGRAM_PATH.split(':').includes(NODE_FOLDER)
  ? PROGRAM_PATH
  : `${NODE_FOLDER}:${PROGRAM_PATH}`;

/** A program of a runtime's command, by its name or by its path from the folder that processes run in. */
export function findRunner(
  name: string,
  { cwd, permissions: { run } }: Pick<RunnerStart, 'cwd' | 'permissions'>,
): FoundRunner {
  const shown = visibleText(name);
  const place = name.includes('/') ? path.resolve(cwd, name) : placeOf(name);
  if (place === null) {
    return refused(`There is no program ${shown}; name one in ${RUNNER_PATH} or by its path.`);
  }
  if (!grantsWord(run, name) && refuseProgram(run, place) !== null) {
    return refused(`The program ${shown} needs --allow-run=${shown}.`);
  }
  const found = findProgram(place);
  if (found.kind === 'failed') return refused(`The program ${shown} cannot be started: ${found.text}.`);
  return { kind: 'program', program: { file: found.file, name: place } };
}

/** What is missing of a command that starts `file`, as sentences; []: nothing. */
export function commandProblems(start: RunnerStart, file: string | null, what: string): readonly string[] {
  const [name] = start.command;
  const problems: string[] = [];
  if (file === null) problems.push(`There is no ${what} to start.`);
  else if (!existsSync(file)) problems.push(`There is no ${what} ${visibleText(file)}.`);
  if (!existsSync(start.cwd)) problems.push(`There is no folder ${visibleText(start.cwd)} to run it in.`);
  if (name === undefined) problems.push(`The runtime ${visibleText(start.runtime)} has no \`entry-command\`.`);
  else {
    const found = findRunner(name, start);
    if (found.kind === 'refused') problems.push(found.text);
  }
  return problems;
}

/** The program of the runtime's command and its arguments before the file; throws a sentence. */
export function runtimeCommand(start: RunnerStart): {
  readonly program: { readonly file: string; readonly name: string };
  readonly args: readonly string[];
} {
  const [name = '', ...args] = start.command;
  const found = findRunner(name, start);
  if (found.kind === 'refused') throw new Error(found.text);
  return { program: found.program, args };
}

/** The variables of what is started: granted ones, and where programs lie. */
export function runnerEnv({ env }: RunnerStart): Readonly<Record<string, string>> {
  return { PATH: RUNNER_PATH, ...env };
}

function placeOf(name: string): string | null {
  const beside = path.join(NODE_FOLDER, name);
  return onProgramPath(name) ?? (name !== '' && existsSync(beside) ? beside : null);
}

function refused(text: string): FoundRunner {
  return { kind: 'refused', text };
}
