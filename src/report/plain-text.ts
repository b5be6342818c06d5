import { shorten } from '../text/display-width.ts';
import { visibleText } from '../text/visible-text.ts';

/** A data URI long enough to be noise. One pass: no part can take over what another has given up. */
const DATA_URI = /data:([\w.+-]{1,60}\/[\w.+-]{1,60})?[\w;=.+-]{0,120},[\w%+/=.~-]{32,}/g;

/** Visible text for one line of a report: data URIs are named instead of shown, what is wider than `max` columns is shortened. */
export function plainText(text: string, max = Number.POSITIVE_INFINITY): string {
  const named = text.replace(
    DATA_URI,
    (uri, type: string | undefined) => `data:${type ?? ''}…(${uri.length} characters)`,
  );
  return shorten(visibleText(named, { longest: Number.POSITIVE_INFINITY }), max);
}
