import { existsSync, readFileSync, statSync } from 'node:fs';
import { appendFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { PasskError } from '../errors.ts';
import { findConfig } from '../settings/find-config.ts';
import { loadConfig } from '../settings/load-config.ts';
import type { LoadSuiteOptions } from '../settings/options.ts';
import { displayName } from '../source/source-file.ts';
import { loadSuite } from '../suite/load-suite.ts';
import { firstReleaseSettings } from './first-settings.ts';
import { readRateCard } from './rate-card.ts';
import { readRecord } from './record-files.ts';

/** Options of `initRelease()`. */
export interface InitReleaseOptions extends LoadSuiteOptions {
  /** The record of a release before, from which a ceiling of costs is suggested. */
  readonly prior?: string;
  /** The day that is suggested for reviews, such as 2026-11-25; default: today, in UTC. */
  readonly asOf?: string;
  /** True: nothing is written. */
  readonly dryRun?: boolean;
}

/** Settings that were made for a folder. */
export interface InitializedRelease {
  /** The configuration file, by its shown name. */
  readonly file: string;
  /** What was added to it. */
  readonly text: string;
  /** True: the file is new; false: one was there and is as it was. */
  readonly isWritten: boolean;
}

/**
 * Makes `[release]` for what a folder holds, and adds it to the nearest passk.toml, or to a new one. Rejects with `USAGE`
 * where settings for releases are there already, and with `INPUT` for files that cannot be read.
 */
export async function initRelease({
  prior,
  asOf = new Date().toISOString().slice(0, 10),
  dryRun = false,
  ...options
}: InitReleaseOptions = {}): Promise<InitializedRelease> {
  const cwd = path.resolve(options.cwd ?? process.cwd());
  const file = findConfig(cwd) ?? path.join(cwd, 'passk.toml');
  const shown = displayName(file, cwd);
  const { scenarios, loaded } = await loadSuite({ ...options, cwd });
  const text = firstReleaseSettings({
    scenarios: scenarios.filter(({ part }) => part === undefined),
    unusable: loaded.filter(({ ok }) => !ok).length,
    candidate: candidateOf(cwd),
    asOf,
    rates: ratesOf(path.dirname(file)),
    prior: prior === undefined ? null : await readRecord(path.resolve(cwd, prior), prior),
  });
  if (dryRun) return { file: shown, text, isWritten: false };
  await add(text, file, shown);
  return { file: shown, text, isWritten: true };
}

async function add(text: string, file: string, shown: string): Promise<void> {
  if (!file.endsWith('.toml')) {
    throw new PasskError('USAGE', `${shown} is a module, to which nothing can be added.`, {
      hint: 'Print the settings with --dry-run, and move them into the module.',
    });
  }
  const isNew = !existsSync(file);
  if (!isNew && (await loadConfig({ file }))?.values.release !== undefined) {
    throw new PasskError('USAGE', `${shown} has settings for releases, which stay as they are.`, {
      hint: 'Print others with --dry-run.',
    });
  }
  try {
    if (isNew) await writeFile(file, text, { flag: 'wx' });
    else await appendFile(file, `${endsLine(file) ? '' : '\n'}\n${text}`);
  } catch (cause) {
    throw new PasskError('OUTPUT', `${shown} cannot be written.`, { cause });
  }
}

function endsLine(file: string): boolean {
  const before = readFileSync(file, 'utf8');
  return before === '' || before.endsWith('\n');
}

/** As package.json says, else the folder. */
function candidateOf(cwd: string): { readonly name: string; readonly version: string } {
  const { name, version } = packageOf(path.join(cwd, 'package.json'));
  return { name: wordOr(name, path.basename(cwd) || 'candidate'), version: wordOr(version, '0.1.0') };
}

function wordOr(value: unknown, other: string): string {
  return typeof value === 'string' && value !== '' && value.length <= LONGEST_WORD ? value : other;
}

const LONGEST_WORD = 214;
const MOST_BYTES = 1024 * 1024;

function packageOf(file: string): { readonly name?: unknown; readonly version?: unknown } {
  try {
    if (statSync(file).size > MOST_BYTES) return {};
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    // Without a package, or with one that nobody can read, the folder has a name.
    return {};
  }
}

/** The file that releases usually take their prices from, where it is one. */
function ratesOf(folder: string): string | null {
  if (!existsSync(path.join(folder, 'rates.toml'))) return null;
  try {
    readRateCard('rates.toml', folder);
    return 'rates.toml';
  } catch {
    // A file of that name that holds something else is not for releases.
    return null;
  }
}
