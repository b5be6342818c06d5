import { PasskError } from '../errors.ts';
import { re2 } from '../values/re2.ts';
import { type Span, spanOf } from './span.ts';

/** Finds what a pattern of the user takes, in linear time. Throws `PasskError` for one that is none. */
export function patternFinder(pattern: string): (text: string) => Iterable<Span> {
  const compiled = compile(pattern);
  return function* find(text) {
    const matcher = compiled.matcher(text);
    while (matcher.find()) {
      const found = matcher.group() ?? '';
      if (found !== '') yield spanOf(matcher.start(), found);
    }
  };
}

function compile(pattern: string) {
  try {
    return re2().compile(pattern);
  } catch (cause) {
    throw new PasskError('USAGE', `The pattern ${JSON.stringify(pattern)} cannot be used.`, {
      hint: cause instanceof Error ? cause.message : String(cause),
      cause,
    });
  }
}
