import { re2 } from '../values/re2.ts';
import { PasskError } from '../errors.ts';
import type { LoadedScenario } from '../types/scenario.ts';
import { messageOf } from '../values/message-of.ts';

/** The scenarios that the options select; empty lists select all. */
export interface Selection {
  readonly names: readonly string[];
  readonly tags: readonly string[];
}

/**
 * Those whose name contains one of `names` (or matches one written as `/pattern/`) and that bear one of `tags`. Files
 * that did not load have no tags: they stay unless a name rules them out. Throws `USAGE` for a bad pattern.
 */
export function selectScenarios(
  loaded: readonly LoadedScenario[],
  { names, tags }: Selection,
): readonly LoadedScenario[] {
  const isNamed = nameFilter(names);
  return loaded.filter((one) => {
    const name = one.ok ? one.scenario.name : one.name;
    if (!isNamed(name)) return false;
    if (tags.length === 0 || !one.ok) return true;
    return tags.some((tag) => one.scenario.tags.includes(tag) || one.scenario.capabilities.includes(tag));
  });
}

/** Whether a name contains one of these, or matches one written as `/pattern/`; [] means all. Throws `USAGE`. */
export function nameFilter(names: readonly string[]): (name: string) => boolean {
  const tests = names.map(nameTest);
  return (name) => tests.length === 0 || tests.some((matches) => matches(name));
}

function nameTest(pattern: string): (name: string) => boolean {
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
