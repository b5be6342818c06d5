import type { Finding } from '../../types/reports/finding.ts';
import type { Json } from '../../types/json.ts';
import { displayWidth } from '../../text/display-width.ts';
import { plainText } from '../plain-text.ts';
import type { TextStyle } from './text-style.ts';
import { hangText } from './wrap-text.ts';

/** One failed check: in one line where it fits, else what was expected above what was got. `count` says how often. */
export function findingLines(finding: Finding, count: string, indent: string, style: TextStyle): readonly string[] {
  const suffix = count === '' ? '' : ` — ${count}`;
  const message = plainText(finding.message, LONGEST);
  const line = `${indent}${message}${suffix}`;
  if (displayWidth(line) <= style.columns) return [line];
  if (finding.expected === null || finding.got === null || isClaim(finding)) {
    return hangText(indent, `${message}${suffix}`, style.columns);
  }
  return [
    ...hangText(indent, `${plainText(finding.check, LONGEST)}${suffix}`, style.columns),
    ...valueLines('expected', finding.expected, indent, style),
    ...valueLines('got', finding.got, indent, style),
  ];
}

/**
 * Of a check that holds or does not, such as a judge's, only the message says what was wanted and why it is not so; the
 * same where a share was wanted of what is listed, as of claims that contexts support.
 */
function isClaim({ expected, got }: Finding): boolean {
  return typeof expected === 'boolean' || (typeof expected === 'number' && Array.isArray(got));
}

const LONGEST = 2000;
const MOST_LINES = 4;

function valueLines(label: string, value: Json, indent: string, style: TextStyle): readonly string[] {
  const first = `${indent}  ${label.padEnd(8)}  `;
  const room = (style.columns - first.length) * (style.verbose ? 10 : 1) * MOST_LINES;
  return hangText(first, plainText(valueText(value), Math.min(LONGEST * 10, room)), style.columns);
}

/** A list of texts as a walk, a text as it is, anything else as JSON. */
function valueText(value: Json): string {
  if (typeof value === 'string') return value === '' ? '""' : value;
  if (isWalk(value)) return value.join(' → ');
  return JSON.stringify(value);
}

function isWalk(value: Json): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string');
}
