import type { PermissionOptions } from './permission-options.ts';
import type { FileValues } from './setting-types.ts';

/** What a configuration file may set. In `passk.toml` keys are in snake_case. */
export interface PasskConfig extends FileValues {
  /** What passk may do on this machine, as `--allow-net` and its like say it. */
  readonly allow?: PermissionOptions;
}

/** Types what `passk.config.js` exports by default; returns it unchanged. */
export function defineConfig(config: PasskConfig): PasskConfig {
  return config;
}
