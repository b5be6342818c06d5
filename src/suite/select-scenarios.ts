import { re2 } from '../values/re2.ts';
import { PasskError } from '../errors.ts';
import type { LoadedScenario, Scenario } from '../types/scenario.ts';
import { messageOf } from '../values/message-of.ts';

/** The scenarios that the options select; empty lists select all. What begins with `!` leaves scenarios out. */
export interface Selection {
  readonly names: readonly string[];
  readonly tags: readonly string[];
}

/**
 * Those whose name contains one of `names` (or matches one written as `/pattern/`) and that bear one of `tags`, without
 * those that one with `!` before it names. Files that did not load have no tags, and may have no name yet: they stay unless
 * a name rules them out, since what is wanted may be in them. Throws `USAGE` for a bad pattern.
 */
export function selectScenarios(
  loaded: readonly LoadedScenario[],
  { names, tags }: Selection,
): readonly LoadedScenario[] {
  const isNamed = nameFilter(names);
  const mayBeNamed = nameFilter(names.filter((word) => !readWish(word).isWanted));
  const isTagged = anyButThose(tags.map(tagTest));
  return loaded.filter((one) => {
    if (one.ok) return isNamed(one.scenario.name) && isTagged(one.scenario);
    const isNameKnown = one.isOfSeveral !== true && one.name !== one.file;
    return (isNameKnown ? isNamed : mayBeNamed)(one.name);
  });
}

/**
 * Whether a name contains one of these, or matches one written as `/pattern/`, and none that is written with `!` before it;
 * without any that are wanted, all are. Throws `USAGE`.
 */
export function nameFilter(names: readonly string[]): (name: string) => boolean {
  return anyButThose(names.map(nameTest));
}

/** A test of what is wanted, or of what is not. */
interface Wish<T> {
  readonly isWanted: boolean;
  readonly matches: (one: T) => boolean;
}

function anyButThose<T>(wishes: readonly Wish<T>[]): (one: T) => boolean {
  const wanted = wishes.filter(({ isWanted }) => isWanted);
  const unwanted = wishes.filter(({ isWanted }) => !isWanted);
  return (one) => {
    const isOneOf = ({ matches }: Wish<T>): boolean => matches(one);
    return (wanted.length === 0 || wanted.some(isOneOf)) && !unwanted.some(isOneOf);
  };
}

function tagTest(word: string): Wish<Scenario> {
  const { isWanted, pattern: tag } = readWish(word);
  return { isWanted, matches: ({ tags, capabilities }) => tags.includes(tag) || capabilities.includes(tag) };
}

function nameTest(word: string): Wish<string> {
  const { isWanted, pattern } = readWish(word);
  return { isWanted, matches: patternTest(pattern) };
}

function readWish(word: string): { readonly isWanted: boolean; readonly pattern: string } {
  return word.length > 1 && word.startsWith('!')
    ? { isWanted: false, pattern: word.slice(1) }
    : { isWanted: true, pattern: word };
}

function patternTest(pattern: string): (name: string) => boolean {
  if (pattern.length < 2 || !pattern.startsWith('/') || !pattern.endsWith('/')) return (name) => name.includes(pattern);
  try {
    const compiled = re2().compile(pattern.slice(1, -1));
    return (name) => compiled.matcher(name).find();
  } catch (cause) {
    const reason = messageOf(cause);
    throw new PasskError('USAGE', `The name pattern ${pattern} is not a pattern: ${reason}.`, {
      hint: 'Patterns follow RE2: no look-around and no back-references.',
      cause,
    });
  }
}
