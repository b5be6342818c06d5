import { shorten, shortenMiddle } from '../text/display-width.ts';
import { visibleText } from '../text/visible-text.ts';

/** Visible text for one line of a report: what is wider than `max` columns is shortened. */
export function plainText(text: string, max = Number.POSITIVE_INFINITY): string {
  return shorten(visibleText(text, { longest: Number.POSITIVE_INFINITY }), max);
}

/**
 * The same of a name, of which both ends are shown: those of cases differ at their end. It reads no more of a long name
 * than it shows.
 */
export function plainName(name: string, max: number): string {
  const near = name.length > 8 * max ? name.slice(0, 4 * max) + name.slice(-4 * max) : name;
  return shortenMiddle(visibleText(near, { longest: Number.POSITIVE_INFINITY }), max);
}
