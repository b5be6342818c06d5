import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import path from 'node:path';
import { expect } from 'vitest';
import { allGone, descendantsOf } from '../support/processes.ts';
import { aFolder, type Ended, runPassk } from './run-passk.ts';

export type Signal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';
export const SIGNALS: readonly Signal[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** A run of passk as it goes on. */
export interface Running {
  readonly cwd: string;
  readonly pid: number | undefined;
  /** What it has said on stderr so far. */
  readonly said: string;
}

export interface Mode {
  readonly args: readonly string[];
  readonly files: Readonly<Record<string, string>>;
  readonly env?: NodeJS.ProcessEnv;
  /** True in the midst of its work. */
  readonly isAtWork: (running: Running) => boolean;
  /** Exit code after one signal; `signal`: the system ends it. */
  readonly once: number | 'signal';
}

/** Starts a mode and sends it these signals, all at once, when it is at work; nothing that it started may live on. */
async function signalled(
  mode: Mode,
  signals: readonly Signal[],
): Promise<Ended & { readonly cwd: string; readonly heard: readonly Signal[] }> {
  const cwd = aFolder();
  writeAll(mode.files, cwd);
  let children: readonly number[] = [];
  let heard: readonly Signal[] = [];
  const ended = await runPassk(mode.args, {
    cwd,
    // Elsewhere the next run of anybody would end what this one leaves behind.
    env: { TMPDIR: aFolder(), ...mode.env },
    meanwhile: (child) => {
      let said = '';
      child.stderr?.on('data', (text: string) => {
        said += text;
      });
      const timer = setInterval(() => {
        if (!mode.isAtWork({ cwd, pid: child.pid, said })) return;
        clearInterval(timer);
        children = descendantsOf(child.pid);
        heard = heardBy(child.pid);
        for (const signal of signals) child.kill(signal);
      }, 20);
      child.on('exit', () => clearInterval(timer));
    },
  });
  expect(await allGone(children)).toBe(true);
  return { ...ended, cwd, heard };
}

/** Writes the files of a mode into a folder. */
export function writeAll(files: Mode['files'], cwd: string): void {
  for (const [file, text] of Object.entries(files))
    writeFileSync(path.join(cwd, file), text.replace('FOLDER', path.basename(cwd)));
}

/** The signals that a process listens to, as the system tells it. */
export function heardBy(pid: number | undefined): readonly Signal[] {
  const [, caught = '0'] = /^SigCgt:\s*(\w+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? [];
  return SIGNALS.filter((signal) => (BigInt(`0x${caught}`) >> BigInt(constants.signals[signal] - 1)) & 1n);
}

/** Exit code, or `signal` where the system ended it by the one that was sent. */
function endOf({ status, signal }: Ended, signals: readonly Signal[]): unknown {
  return signal === null ? status : signals.some((sent) => sent === signal) ? 'signal' : signal;
}

/** Sends it this signal, which stands for all three since it listens to each, and then two of them at once. */
export async function expectEnds(mode: Mode, signal: Signal): Promise<void> {
  const once = await signalled(mode, [signal]);
  expect(once.heard).toEqual(SIGNALS);
  expect(endOf(once, [signal])).toBe(mode.once);
  if (mode.args.includes('--json')) expect(JSON.parse(once.stdout)).toMatchObject({ partial: true });
  // Neither drafts nor locks are left.
  expect(readdirSync(once.cwd, { recursive: true, encoding: 'utf8' }).filter(isLeftOver)).toEqual([]);
  // Between the two it may have ended by itself.
  const twice: readonly Signal[] = ['SIGINT', 'SIGTERM'];
  expect(['signal', mode.once]).toContain(endOf(await signalled(mode, twice), twice));
}

function isLeftOver(file: string): boolean {
  return /\.(?:lock|tmp)$/.test(file);
}
