import type { Setting } from './setting.ts';

/** `minPassRate` → `min_pass_rate`, the key of `passk.toml`. */
export function snakeKey(name: string): string {
  return name.replace(/[A-Z]/g, '_$&').toLowerCase();
}

/** `minPassRate` → `min-pass-rate`, the flag without dashes. Each flag of a list gives one of it: `gates` → `gate`. */
export function flagName(name: string, { flag, kind }: Setting): string {
  if (flag?.name !== undefined) return flag.name;
  const isList = (flag?.kind ?? kind).isList === true;
  return (isList && name.endsWith('s') ? name.slice(0, -1) : name).replace(/[A-Z]/g, '-$&').toLowerCase();
}

/** `min-pass-rate` → `PASSK_MIN_PASS_RATE`, the variable that stands for a flag or an argument. */
export function variableOf(flag: string): string {
  return `${VARIABLES}${flag.replaceAll('-', '_').toUpperCase()}`;
}

/** What the names of all variables begin with. */
export const VARIABLES = 'PASSK_';

/** The key as `passk config` and messages write it: `minPassRate`, `allow.net`. */
export function keyOf(name: string, { within }: Setting): string {
  return within === undefined ? name : within.join('.');
}
