import { readFileSync } from 'node:fs';

/** The version of passk in `package.json`, which stands beside `dist` and beside `src`. */
export const VERSION: string = readVersion();

function readVersion(): string {
  for (const candidate of ['../package.json', '../../package.json']) {
    try {
      const { name, version } = JSON.parse(readFileSync(new URL(candidate, import.meta.url), 'utf8')) as {
        readonly name?: string;
        readonly version?: string;
      };
      if (name === 'passk' && version !== undefined) return version;
    } catch {
      // Not here: the built file lies one folder deeper than the source.
    }
  }
  return '0.0.0';
}
