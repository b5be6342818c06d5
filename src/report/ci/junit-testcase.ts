import type { Property, ReportedCase, ReportedSuite } from '../cases/reported-case.ts';
import { MEMORY } from '../../values/name-from-root.ts';
import { folderOf } from '../text/fold-folders.ts';
import { plainText } from '../plain-text.ts';
import { xmlAttributes, xmlText } from './xml-text.ts';

/** Characters of a name in a list of tests. */
const LONGEST = 300;
/** As long as a path can be. */
const LONGEST_FILE = 4096;

/** The element of an outcome; a testcase without one passed. */
export type JunitElement = 'failure' | 'error' | 'skipped';

/** The element of a case; null: it passed, or it failed and does not count. */
export function junitElement({ outcome, counts }: Pick<ReportedCase, 'outcome' | 'counts'>): JunitElement | null {
  switch (outcome) {
    case 'passed':
      return null;
    case 'failed':
      return counts ? 'failure' : null;
    case 'error':
      return 'error';
    case 'undecided':
      return counts ? 'error' : 'skipped';
    case 'skipped':
      return 'skipped';
  }
}

/** One case as a `testcase` element, indented by four blanks. */
export function junitTestcase(one: ReportedCase, { subject }: Pick<ReportedSuite, 'subject'>): string {
  const { name, place, properties } = one;
  const folder = className(place?.file ?? '');
  const attributes = {
    name,
    classname: subject === '' ? folder : `${folder}.${subject.replaceAll('.', '_')}`,
    file: place === null ? undefined : plainText(place.file, LONGEST),
    time: seconds(one.seconds ?? 0),
  };
  const elements = [propertiesElement('      ', properties), outcomeElement(one), outputElement(one)];
  return `    <testcase${xmlAttributes(attributes)}>\n${elements.join('')}    </testcase>\n`;
}

/** Seconds as digits, never in scientific notation, which readers of JUnit files do not know. */
export function seconds(value: number): string {
  return value.toFixed(6).replace(/\.?0+$/, '');
}

/** Names and values under `indent`; '' where there is none. */
export function propertiesElement(indent: string, properties: readonly Property[]): string {
  const lines = properties.flatMap(([name, value]) =>
    value === null ? [] : [`${indent}  <property${xmlAttributes({ name, value: String(value) })}/>\n`],
  );
  return lines.length === 0 ? '' : `${indent}<properties>\n${lines.join('')}${indent}</properties>\n`;
}

/** The class of a file's tests: Jenkins takes what stands before the last dot for a package, so folders become its parts. */
function className(file: string): string {
  const parts = folderOf(file)
    .split('/')
    .filter((part) => part !== '' && part !== '.');
  if (parts.length === 0) return 'passk';
  return plainText(parts.map((part) => part.replaceAll('.', '_')).join('.'), LONGEST);
}

function outcomeElement(one: ReportedCase): string {
  const { message, group, details } = one;
  const element = junitElement(one);
  if (element === null) return '';
  // Text inside `skipped` is against the schema that is passed around.
  if (element === 'skipped') return `      <skipped${xmlAttributes({ message })}/>\n`;
  const text = xmlText([...placeLines(one), ...details].join('\n'));
  return `      <${element}${xmlAttributes({ message, type: group })}>${text}\n</${element}>\n`;
}

/** Where it stands, as editors and terminals open it. Problems have places of their own. */
function placeLines({ place, problems }: ReportedCase): readonly string[] {
  if (place === null || problems.length > 0 || place.file.startsWith(MEMORY)) return [];
  const { file, line, column } = place;
  return line === 1 && column === 1 ? [] : [`${plainText(file, LONGEST_FILE)}:${line}:${column}`];
}

/** The remarks of a case; for a failure that does not count, its message and details too. */
function outputElement(one: ReportedCase): string {
  const { outcome, counts, message, details, remarks } = one;
  const failure = outcome === 'failed' && !counts ? [`Does not fail the gate: ${message}`, ...details] : [];
  const lines = [...failure, ...remarks];
  return lines.length === 0 ? '' : `      <system-out>${xmlText(lines.join('\n'))}</system-out>\n`;
}
