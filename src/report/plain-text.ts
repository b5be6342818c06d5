import { shorten } from '../text/display-width.ts';
import { visibleText } from '../text/visible-text.ts';

/** Visible text for one line of a report: what is wider than `max` columns is shortened. */
export function plainText(text: string, max = Number.POSITIVE_INFINITY): string {
  return shorten(visibleText(text, { longest: Number.POSITIVE_INFINITY }), max);
}
