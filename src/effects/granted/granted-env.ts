import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Grant } from '../../types/permissions.ts';
import { grantsWord } from '../granted-ports.ts';
import { createSecrets } from './secrets.ts';

/** The variables of passk's environment that are granted to programs. */
export interface GrantedEnv {
  readonly variables: Readonly<Record<string, string>>;
  /** A text without the values of these variables, plain or encoded. Call it before a text is cut, which could leave half a value. */
  scrub(text: string): string;
}

/** Shorter values are words that answers may well hold. */
const SHORTEST = 6;

/** Places and habits of a machine; texts would be unreadable without them. */
const NO_SECRET =
  /^(?:PATH|HOME|LANG|LC_\w+|USER|LOGNAME|SHELL|PWD|OLDPWD|TERM|COLORTERM|TMPDIR|TEMP|TMP|TZ|NODE_PATH|NODE_OPTIONS|NODE_ENV)$/;

/** What programs get to see, and what keeps them from repeating it in answers, errors and logs. */
export function grantedEnv(env: Readonly<Record<string, string | undefined>>, granted: Grant): GrantedEnv {
  const variables = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && grantsWord(granted, name) ? [[name, value] as const] : [],
  );
  const secrets = createSecrets({}, false);
  for (const [name, value] of variables) {
    // A path that is there tells nobody a key, and errors are full of paths.
    if (NO_SECRET.test(name) || (path.isAbsolute(value) && existsSync(value))) continue;
    // Programs print a key of several lines line by line.
    for (const text of [value, ...value.split(/\r?\n/)]) {
      if (text.trim().length >= SHORTEST) secrets.learn(name, text);
    }
  }
  return { variables: Object.fromEntries(variables), scrub: secrets.scrub };
}
