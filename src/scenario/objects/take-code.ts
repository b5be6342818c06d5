import type { Pointer } from '../../source/place-tree.ts';
import { isRecord } from '../../values/is-json.ts';

/** What is left of an object when its code is taken out of it. */
export interface WithoutCode {
  readonly data: unknown;
  /** Undefined: none stands there. */
  codeAt(pointer: Pointer): unknown;
}

/**
 * Takes out of a scenario with an agent what may be code: the agent, the world, and the functions of checks. What looks like code
 * anywhere else stays, and is no data.
 */
export function takeCode(definition: unknown): WithoutCode {
  const code = new Map<string, unknown>();
  const codeAt = (pointer: Pointer): unknown => code.get(pointer.join('.'));
  if (!isRecord(definition)) return { data: definition, codeAt };
  const data: Record<string, unknown> = { ...definition };
  const { agent, session, expected } = definition;
  if (typeof agent === 'function') {
    code.set('agent', agent);
    data['agent'] = {};
  }
  if (isRecord(session) && isRecord(session['world'])) {
    const { world, ...rest } = session;
    code.set('session.world', world);
    data['session'] = rest;
  }
  if (isRecord(expected) && Array.isArray(expected['checks'])) {
    const checks = expected['checks'].map((check: unknown, index) => {
      const { check: judge = check, ...named } = isRecord(check) ? check : {};
      if (typeof judge !== 'function') return check;
      code.set(`expected.checks.${index}`, judge);
      return { ...(judge.name !== '' && judge.name !== 'check' && { name: judge.name }), ...named };
    });
    data['expected'] = { ...expected, checks };
  }
  return { data, codeAt };
}
