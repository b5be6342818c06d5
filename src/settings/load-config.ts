import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { PasskError } from '../errors.ts';
import { parseGate } from '../gate/parse-gate.ts';
import { memoryDocument } from '../scenario/objects/memory-document.ts';
import { camelKeys } from '../source/camel-keys.ts';
import { checkSchema } from '../source/check-schema.ts';
import { hintFor } from '../text/did-you-mean.ts';
import { isWebAddress } from '../text/is-web-address.ts';
import { importProblem } from '../source/import-problem.ts';
import { runModule } from '../source/run-module.ts';
import { locationAt } from '../source/location-at.ts';
import { displayName, isLink, readSource } from '../source/source-file.ts';
import { parseToml, type SourceDocument } from '../source/toml-document.ts';
import type { Issue, Location } from '../types/issue.ts';
import type { Json, JsonObject } from '../types/json.ts';
import type { JudgeSetting } from '../types/judges/judge.ts';
import type { ReleaseSettings } from '../types/release/release-rules.ts';
import { allowIssues, type AllowPlaces, movedAllow } from './allow-config.ts';
import { configSchema } from './config-schema.ts';
import type { PasskConfig } from './define-config.ts';
import { findConfig } from './find-config.ts';
import type { PathUse, Table } from './setting.ts';
import { snakeKey } from './setting-names.ts';
import { SETTINGS } from './table.ts';
import { reportTarget } from './report-target.ts';

/** What a configuration file says. */
export interface LoadedConfig {
  /** Relative to the folder that the search began in. */
  readonly file: string;
  /** Paths in it are relative to that folder as well. */
  readonly values: PasskConfig;
  /** Where each value stands: `passk.toml:3`. */
  readonly places: Readonly<Partial<Record<keyof PasskConfig | `release.${keyof ReleaseSettings}`, string>>> &
    AllowPlaces;
}

/** Options of `loadConfig()`. */
export interface LoadConfigOptions {
  /** Where the search begins; default: the working directory. */
  readonly cwd?: string;
  /** This file instead of the one that is found; relative to `cwd`. */
  readonly file?: string;
}

/**
 * Reads the configuration file that is named, or found for a folder; null when there is none. A module is run for that:
 * whoever calls this has agreed to it. Rejects with all problems of the file.
 */
export async function loadConfig(options: LoadConfigOptions = {}): Promise<LoadedConfig | null> {
  return readConfig(options);
}

/** The same by any table. */
export async function readConfig(
  { cwd = process.cwd(), file: named }: LoadConfigOptions,
  table: Table = SETTINGS,
): Promise<LoadedConfig | null> {
  const file = named === undefined ? findConfig(cwd) : path.resolve(cwd, named);
  if (file === null) return null;
  const isToml = file.endsWith('.toml');
  const document = isToml ? readToml(file, cwd) : await readModule(file, cwd);
  const schema = configSchema(isToml, table);
  const { data } = document;
  refuse(document, [...checkSchema(document, [], schema), ...gateIssues(document), ...allowIssues(document)]);
  const keyOf = isToml ? snakeKey : (key: string): string => key;
  // Checked against the schema just now.
  const values = (isToml ? camelKeys(data, schema) : data) as unknown as PasskConfig;
  const { name } = document.source;
  const pointers = [
    ...Object.keys(values).map((key) => [key]),
    ...(['allow', 'release'] as const).flatMap((table) => Object.keys(values[table] ?? {}).map((key) => [table, key])),
  ];
  const places = pointers.map((pointer) => {
    const { line } = document.locate(pointer.map(keyOf), 'key');
    return [pointer.join('.'), isToml ? `${name}:${line}` : name] as const;
  });
  return {
    file: name,
    values: relocated(values, { folder: path.dirname(file), cwd, table }),
    places: Object.fromEntries(places),
  };
}

function readToml(file: string, cwd: string): SourceDocument {
  refuseForeignLink(file, cwd);
  const read = readSource(file, { root: cwd });
  const parsed = read.ok ? parseToml(read.source) : read;
  if (parsed.ok) return parsed.document;
  throw new PasskError('INPUT', `${displayName(file, cwd)} cannot be read; nothing was run.`, {
    issues: parsed.issues,
  });
}

/** Problems are shown with their lines, so a link must not make settings of a file of the user's. */
function refuseForeignLink(file: string, cwd: string): void {
  if (!isLink(file) || !existsSync(file) || path.basename(realpathSync.native(file)) === path.basename(file)) return;
  throw new PasskError('INPUT', `${displayName(file, cwd)} is a link to a file of another name, which is not read.`, {
    hint: '--config names any file.',
  });
}

async function readModule(file: string, cwd: string): Promise<SourceDocument> {
  const name = displayName(file, cwd);
  const exported = await importConfig(file, name);
  if (typeof exported !== 'object' || exported === null || Array.isArray(exported)) {
    throw new PasskError('INPUT', `${name} has no object as its default export.`, {
      hint: "Write: import { defineConfig } from 'passk'; export default defineConfig({ trials: 100 });",
    });
  }
  const odd = Object.entries(exported).find(([, value]) => ['function', 'symbol', 'bigint'].includes(typeof value));
  if (odd !== undefined) {
    throw new PasskError('INPUT', `${name}: "${odd[0]}" is a ${typeof odd[1]}.`, { hint: 'Give plain data.' });
  }
  return memoryDocument(JSON.parse(JSON.stringify(exported)) as JsonObject, name).document;
}

async function importConfig(file: string, name: string): Promise<unknown> {
  const { href } = pathToFileURL(file);
  try {
    return (await runModule(href)).default;
  } catch (cause) {
    const { reason, hint } = importProblem(cause, href, process.versions.node);
    throw new PasskError('INPUT', `${name} cannot be loaded: ${reason}`, { hint, cause });
  }
}

function refuse({ source }: SourceDocument, issues: readonly Issue[]): void {
  if (issues.length === 0) return;
  throw new PasskError('INPUT', `${source.name} cannot be used; nothing was run.`, { issues });
}

function gateIssues(document: SourceDocument): readonly Issue[] {
  const { gates } = document.data;
  if (!Array.isArray(gates)) return [];
  return gates.flatMap((text: Json, index) =>
    typeof text === 'string' ? (gateIssue(document, text, index) ?? []) : [],
  );
}

function gateIssue(document: SourceDocument, text: string, index: number): Issue | null {
  const parsed = parseGate(text);
  if (parsed.ok) return null;
  const { code, message, column, endColumn, word, candidates, hint: sure } = parsed.problem;
  const hint = sure ?? (candidates.length > 0 ? hintFor(word, candidates, 'words') : undefined);
  const at = placeInText(document, ['gates', index], text, [column, endColumn]);
  return { code, severity: 'error', message: `gates[${index}]: ${message}`, at, ...(hint !== undefined && { hint }) };
}

/** Inside a text that stands there as it is, else the whole of it. */
function placeInText(
  { source, locate, range }: SourceDocument,
  pointer: readonly (string | number)[],
  text: string,
  [column, endColumn]: readonly [number, number],
): Location {
  const [start, end] = range(pointer);
  if (text === '' || source.text.slice(start + 1, end - 1) !== text) return locate(pointer);
  return locationAt(source, start + column, start + endColumn);
}

interface Relocation {
  /** Of the file. */
  readonly folder: string;
  readonly cwd: string;
  readonly table: Table;
}

/** Relative paths of the file, as paths relative to where the search began. */
function relocated(values: PasskConfig, { folder, cwd, table }: Relocation): PasskConfig {
  const move = (word: string): string => displayName(path.resolve(folder, word), path.resolve(cwd));
  const { allow, judges, release, ...others } = values;
  const moved = Object.entries(others).map(([name, value]) => {
    const use = table[name]?.paths;
    return [name, use === undefined ? value : movedWords(value as string | readonly string[], use, move)] as const;
  });
  return {
    ...Object.fromEntries(moved),
    ...(allow !== undefined && { allow: movedAllow(allow, folder) }),
    ...(judges !== undefined && { judges: judges.map((judge) => movedJudge(judge, move)) }),
    ...(release !== undefined && { release: movedRelease(release, move) }),
  };
}

function movedRelease(release: ReleaseSettings, move: (path: string) => string): ReleaseSettings {
  const { rates, billing, log, issueSink } = release;
  return {
    ...release,
    ...(rates !== undefined && { rates: move(rates) }),
    ...(billing !== undefined && { billing: { ...billing, file: move(billing.file) } }),
    ...(log !== undefined && { log: move(log) }),
    ...(issueSink !== undefined && { issueSink: move(issueSink) }),
  };
}

function movedJudge(judge: JudgeSetting, move: (path: string) => string): JudgeSetting {
  const { calibration, module } = judge;
  return {
    ...judge,
    ...(calibration !== undefined && { calibration: move(calibration) }),
    ...(module !== undefined && { module: move(module) }),
  };
}

function movedWords(
  words: string | readonly string[],
  use: PathUse,
  move: (path: string) => string,
): string | readonly string[] {
  if (typeof words !== 'string') return words.map((word) => movedWord(word, use, move));
  return movedWord(words, use, move);
}

function movedWord(word: string, use: PathUse, move: (path: string) => string): string {
  if (use === 'reports') return movedReporter(word, move);
  if (use !== 'modules') return move(word);
  return isFile(word) ? asFile(move(word)) : word;
}

/** A path that cannot be taken for a package. */
function asFile(moved: string): string {
  return path.isAbsolute(moved) || moved.startsWith('.') ? moved : `./${moved}`;
}

/** Bare words are packages, unless they end as a module's file does. */
function isFile(plugin: string): boolean {
  return !plugin.startsWith('file:') && (plugin.startsWith('.') || /\.[cm]?[jt]s$/.test(plugin));
}

function movedReporter(word: string, move: (path: string) => string): string {
  const target = reportTarget(word);
  return target === '' || isWebAddress(target) ? word : `${word.slice(0, -target.length)}${move(target)}`;
}
