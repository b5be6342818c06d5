import { createRequire } from 'node:module';

type Re2 = typeof import('re2js');

let library: Re2 | null = null;

/** The pattern library. The first pattern loads it: most runs have none, and it is much of what they would read. */
export function re2(): Re2['RE2JS'] {
  library ??= createRequire(import.meta.url)('re2js') as Re2;
  return library.RE2JS;
}
