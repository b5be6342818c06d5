import type { PasskConfig } from './define-config.ts';
import { SETTINGS } from './table.ts';
import type { Table } from './setting.ts';

/** What a run uses where nothing is set; keys that are absent are left to the scenario files, or are not used. */
export function defaultConfig(table: Table = SETTINGS): PasskConfig {
  const rows = Object.entries(table).filter(([, row]) => row.file !== undefined && row.default !== undefined);
  return Object.fromEntries(rows.map(([name, row]) => [name, row.default]));
}
