import type { LlmFault } from '../../types/chaos.ts';
import { jsonObjectOf, wordsOf } from './json-document.ts';
import { writeJson } from '../../values/exact-json.ts';

type Drift = Pick<LlmFault, 'driftType' | 'severity' | 'direction' | 'factor'>;
type Severity = LlmFault['severity'];

/**
 * An answer as a newer model might have given it. What the drift does not apply to, such as text where it renames fields
 * of JSON, stays as it is, to the byte.
 */
export function driftAnswer(content: string, drift: Drift): string {
  switch (drift.driftType) {
    case 'json_field_rename':
      return renameFields(content, drift.severity);
    case 'format_change':
      return changeFormat(content, drift.severity);
    case 'verbosity_shift':
      return shiftVerbosity(content, drift);
    case 'refusal_rephrase':
      return rephrase(content, REFUSALS, drift.severity);
    case 'tone_shift':
      return rephrase(content, TONES, drift.severity);
  }
}

const RENAMED = ['action', 'tool_name', 'name', 'type', 'output'];
/** Keys that are looked at, unless all are renamed. */
const FIRST_KEYS = 5;

/** `subtle`: one well-known field gets another name; `moderate`: all well-known ones; `significant`: every field. */
function renameFields(content: string, severity: Severity): string {
  const object = jsonObjectOf(content);
  if (object === null) return content;
  const keys = Object.keys(object);
  const candidates = keys.slice(0, FIRST_KEYS).filter((key) => RENAMED.includes(key));
  const renamed = severity === 'significant' ? keys : severity === 'moderate' ? candidates : candidates.slice(0, 1);
  if (renamed.length === 0) return content;
  // A renamed field moves to the end, as if it were a new one.
  const others = keys.filter((key) => !renamed.includes(key));
  return writeJson(
    Object.fromEntries([
      ...others.map((key) => [key, object[key]] as const),
      ...renamed.map((key) => [otherName(key), object[key]] as const),
    ]),
  );
}

function otherName(key: string): string {
  if (key === 'action') return 'tool_name';
  return key === 'tool_name' ? 'action' : `${key}_v2`;
}

/** Fields that `subtle` still tells of. */
const TOLD_FIELDS = 10;

/** JSON becomes text. `subtle`: `key: value` in one line; `moderate`: as a list; `significant`: values alone. */
function changeFormat(content: string, severity: Severity): string {
  const object = jsonObjectOf(content);
  if (object === null) return content;
  const fields = Object.entries(object).map(([key, value]) => [key, plainValue(value)] as const);
  if (severity === 'moderate') return fields.map(([key, value]) => `- ${key}: ${value}`).join('\n');
  if (severity === 'significant') return fields.map(([, value]) => value).join(' ');
  return fields
    .slice(0, TOLD_FIELDS)
    .map(([key, value]) => `${key}: ${value}`)
    .join(' ');
}

function plainValue(value: unknown): string {
  return typeof value === 'string' ? value : writeJson(value);
}

/** How much is said of the factor alone, so severity has no part in it. */
function shiftVerbosity(content: string, { direction, factor }: Drift): string {
  const words = wordsOf(content);
  if (words.length === 0) return content;
  if (direction === 'compress') {
    const left = Math.max(1, Math.floor(words.length / factor));
    return left < words.length ? words.slice(0, left).join(' ') : content;
  }
  const more = Math.min(words.length, Math.max(1, Math.floor(words.length * (factor - 1))));
  return factor > 1 ? `${content} ${words.slice(0, more).join(' ')}` : content;
}

/** Wordings and what stands for them, the mildest first. */
type Wordings = readonly (readonly [RegExp, string])[];

const REFUSALS: Wordings = [
  [/\bI (?:cannot|can't|can’t)\b/gi, "I'm not in a position to"],
  [/\bI(?: am|'m|’m) (?:unable|not able) to\b/gi, 'it is not possible for me to'],
  [/\bI (?:won't|won’t|will not)\b/gi, 'I would rather not'],
  [/\bI(?: am|'m|’m) sorry,? but\b/gi, 'thanks for asking;'],
  [/\b(?:not allowed|forbidden|prohibited)\b/gi, 'better left aside'],
];

const TONES: Wordings = [
  [/\bHowever\b/g, 'But hey'],
  [/\bTherefore\b/g, 'So yeah'],
  [/\bPlease\b/gi, 'Just'],
  [/\bI (?:recommend|suggest)\b/gi, "I'd totally go with"],
  [/\b(?:Certainly|Of course)\b/gi, 'Sure thing'],
];

/** How many of the wordings shift. */
const SHIFTED: Readonly<Record<Severity, number>> = { subtle: 3, moderate: 4, significant: 5 };

function rephrase(content: string, wordings: Wordings, severity: Severity): string {
  return wordings.slice(0, SHIFTED[severity]).reduce((text, [wording, other]) => text.replace(wording, other), content);
}
