import type { ImportedRun } from '../../plugin/importer-type.ts';
import type { JsonObject } from '../../types/json.ts';
import type { XmlElement } from './xml-element.ts';

type Attributes = ReadonlyMap<string, string>;

/** The elements that a run is read from. */
export interface TestRun {
  /** A `testcase`, or the element of one of its repeated runs. */
  readonly outcome: XmlElement;
  /** Of the test. */
  readonly test: Attributes;
  /** Of the suite that the test stands in. */
  readonly suite: Attributes;
  /** The name of the test, without its class. */
  readonly name: string;
}

/** A run of a test. A failure decides before an error; with neither the test passed. */
export function readTestcase({ outcome, test, suite, name }: TestRun): ImportedRun {
  const isWhole = outcome.name === 'testcase';
  const failures = isWhole ? childrenOf(outcome, 'failure') : outcome.name.endsWith('Failure') ? [outcome] : [];
  const errors = isWhole ? childrenOf(outcome, 'error') : outcome.name.endsWith('Error') ? [outcome] : [];
  const isError = failures.length === 0 && errors.length > 0;
  const why = failures.map(whyOf).join('\n\n');
  const durationMs = (isWhole ? milliseconds(test.get('time')) : null) ?? milliseconds(outcome.attributes.get('time'));
  return {
    task: taskOf(name, test, suite),
    scores: isError ? [] : [{ name: 'result', value: failures.length === 0, ...(why !== '' && { explanation: why }) }],
    ...(isError && { error: errors.map(whyOf).join('\n\n') || 'The test ended by an error that says nothing.' }),
    ...(durationMs !== null && { durationMs }),
    extra: extraOf({ outcome, test, suite, name }),
    unsaid: {
      messages: 'JUnit has what a test printed, and no conversation',
      cost: 'JUnit has no costs',
      usage: 'JUnit has no tokens',
    },
  };
}

function childrenOf({ children }: XmlElement, name: string): readonly XmlElement[] {
  return children.filter((child) => child.name === name);
}

/**
 * The class, or the suite where the test names no class, and the name. The file comes first where the class does not say
 * it.
 */
function taskOf(name: string, test: Attributes, suite: Attributes): string {
  const owner = test.get('classname') || suite.get('name') || '';
  const file = test.get('file') ?? '';
  const dotted = file.replace(/\.[a-z]+$/i, '').replace(/[\\/]/g, '.');
  const isSaid = file === '' || owner === file || owner === dotted || owner.startsWith(`${dotted}.`);
  return [isSaid ? '' : file, owner, name].filter((part) => part !== '').join(' > ');
}

/** The message, and the text where it says more. */
function whyOf({ attributes, children, text }: XmlElement): string {
  const message = attributes.get('message')?.trim() ?? '';
  const stack = children.find(({ name }) => name === 'stackTrace')?.text.trim() ?? '';
  const more = text.trim() || stack;
  return more.includes(message) ? more : [message, more].filter((part) => part !== '').join('\n');
}

/** Milliseconds of a time in seconds, which may have commas between thousands. */
function milliseconds(time: string | undefined): number | null {
  const seconds = /^\d[\d,]*(?:\.\d+)?(?:e-?\d{1,2})?$/i.test(time ?? '')
    ? Number(time?.replaceAll(',', ''))
    : Number.NaN;
  return Number.isFinite(seconds) ? seconds * 1000 : null;
}

const OWN_FIELDS = new Set(['name', 'classname', 'time']);

function extraOf({ outcome, test, suite }: TestRun): JsonObject {
  const attributes = [...test].filter(([name]) => !OWN_FIELDS.has(name));
  const properties = childrenOf(outcome, 'properties').flatMap((list) =>
    childrenOf(list, 'property').map(({ attributes: propertyAttributes, text }) => ({
      name: propertyAttributes.get('name') ?? '',
      value: propertyAttributes.get('value') ?? text,
    })),
  );
  const suiteFacts = ['name', 'timestamp', 'hostname'].flatMap((name) => {
    const value = suite.get(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...Object.fromEntries(attributes),
    ...(suiteFacts.length > 0 && { suite: Object.fromEntries(suiteFacts) }),
    ...printed(outcome, 'system-out', 'system_out'),
    ...printed(outcome, 'system-err', 'system_err'),
    ...(properties.length > 0 && { properties }),
    ...(outcome.name !== 'testcase' && { repeated: outcome.name }),
  };
}

function printed(outcome: XmlElement, name: string, key: string): JsonObject {
  const text = childrenOf(outcome, name)
    .map((child) => child.text)
    .join('\n');
  return text.trim() === '' ? {} : { [key]: text };
}
