import { RE2JS } from 're2js';
import { PasskError } from '../errors.ts';
import { messageOf } from '../values/message-of.ts';

/** A test for "the pattern occurs in the text", in time linear in the text. `owner` names who wrote it. */
export function compilePattern(pattern: string, owner: string): (text: string) => boolean {
  const compiled = compile(pattern, owner);
  return (text) => compiled.test(text);
}

function compile(pattern: string, owner: string): RE2JS {
  try {
    return RE2JS.compile(pattern);
  } catch (cause) {
    const why = messageOf(cause);
    throw new PasskError('INPUT', `${owner}: ${JSON.stringify(pattern)} is not a pattern: ${why}.`, {
      hint: 'Write it in RE2 syntax, which has no look-around and no back-references.',
      cause,
    });
  }
}
