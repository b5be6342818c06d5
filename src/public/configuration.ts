/** Files of settings. */
export { type ConfigKey, type ConfigRequest, configRequests } from '../settings/config-requests.ts';
export { defaultConfig } from '../settings/default-config.ts';
export { defineConfig, type PasskConfig } from '../settings/define-config.ts';
export { loadConfig, type LoadConfigOptions, type LoadedConfig } from '../settings/load-config.ts';
