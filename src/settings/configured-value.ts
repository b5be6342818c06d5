import type { PasskConfig } from './define-config.ts';
import type { Setting } from './setting.ts';

/** What a configuration says of a setting; undefined: nothing. */
export function configuredValue(config: PasskConfig, name: string, { file, within }: Setting): unknown {
  if (file === undefined) return undefined;
  const values = config as Readonly<Record<string, unknown>>;
  if (within === undefined) return values[name];
  const [table, key] = within;
  return (values[table] as Readonly<Record<string, unknown>> | undefined)?.[key];
}
