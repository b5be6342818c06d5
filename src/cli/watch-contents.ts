import path from 'node:path';
import type { LoadSuiteOptions } from '../index.ts';

/** What each scenario file comes to, with its workflow, children and schemas, as text to be compared. */
export type Contents = ReadonlyMap<string, string>;

/** Loads everything and says what it is. A file with problems counts by them, so that mending it is a change. */
export async function contentsOf(load: LoadSuiteOptions): Promise<Contents> {
  const { loadSuite } = await import('../index.ts');
  const { loaded, definitions } = await loadSuite(load);
  const rows = [
    ...loaded.map(
      (one) => [one.file, one.ok ? one.scenario : one.issues.map(({ message, at }) => [message, at])] as const,
    ),
    // Some of what they say is in none of the scenarios that they are run as.
    ...definitions.map((definition) => [definition.file, definition] as const),
  ];
  const texts = new Map<string, string>();
  for (const [file, row] of rows) texts.set(file, `${texts.get(file) ?? ''}${textOf(row)}`);
  return texts;
}

/** For comparing only. */
function textOf(row: unknown): string {
  return JSON.stringify(row, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}

/** A change of it may change every scenario. */
export function isConfigFile(file: string): boolean {
  return ['passk.toml', 'passk.config.js', 'passk.config.mjs'].includes(path.basename(file));
}

/** It may be part of a plug-in. */
export function isModule(file: string): boolean {
  return /\.[cm]?[jt]s$/.test(file);
}
