import path from 'node:path';
import type { LoadSuiteOptions } from '../public/suites.ts';

/** The loaded value of each scenario file, with its workflow, children and schemas, as text to be compared. */
export type Contents = ReadonlyMap<string, string>;

/** Loads all files. The text of a file with problems is that of its problems, so that a mended file is a change. */
export async function contentsOf(load: LoadSuiteOptions): Promise<Contents> {
  const { loadSuite } = await import('../public/suites.ts');
  const { loaded, definitions } = await loadSuite(load);
  const rows = [
    ...loaded.map(
      (one) => [one.file, one.ok ? one.scenario : one.issues.map(({ message, at }) => [message, at])] as const,
    ),
    // The scenarios that definitions are run as do not hold all that these say.
    ...definitions.map((definition) => [definition.file, definition] as const),
  ];
  const texts = new Map<string, string>();
  for (const [file, row] of rows) texts.set(file, `${texts.get(file) ?? ''}${textOf(row)}`);
  return texts;
}

/** Text to compare values by. */
function textOf(row: unknown): string {
  return JSON.stringify(row, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}

/** Whether a change of the file may change every scenario. */
export function isConfigFile(file: string): boolean {
  return /^passk\.(?:toml|config\.m?[jt]s)$/.test(path.basename(file));
}

/** Whether the file may be code that scenarios run. */
export function isCode(file: string): boolean {
  return /\.(?:[cm]?[jt]s|py)$/.test(file);
}
