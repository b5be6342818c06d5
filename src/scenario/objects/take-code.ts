import type { Pointer } from '../../source/place-tree.ts';
import { isRecord } from '../../values/is-json.ts';

/** What is left of an object when its code is taken out of it. */
export interface WithoutCode {
  readonly data: unknown;
  /** Undefined: none stands there. */
  codeAt(pointer: Pointer): unknown;
}

type Data = Record<string, unknown>;

/**
 * Takes out of a scenario with an agent what may be code: the agent, the world, and the functions of checks. What looks like code
 * anywhere else stays, and is no data.
 */
export function takeCode(definition: unknown): WithoutCode {
  return withoutCode(definition, (data, code) => {
    if (typeof data['agent'] === 'function') {
      code.set('agent', data['agent']);
      data['agent'] = {};
    }
    const { session, expected } = data;
    if (isRecord(session) && isRecord(session['world'])) {
      const { world, ...rest } = session;
      code.set('session.world', world);
      data['session'] = rest;
    }
    if (isRecord(expected)) {
      data['expected'] = withoutFunctions(expected, { list: 'checks', name: 'name', at: 'expected.checks' }, code);
    }
  });
}

/** The same of a contract: its agent, what brings that back, and the functions of its rules. */
export function takeContractCode(definition: unknown): WithoutCode {
  return withoutCode(definition, (data, code) => {
    const agent = typeof data['agent'] === 'function' ? { function: data['agent'] } : data['agent'];
    if (isRecord(agent)) {
      const isCode = ([key, value]: [string, unknown]): boolean => key in AGENT_CODE && typeof value === 'function';
      const entries = Object.entries(agent);
      for (const [key, value] of entries.filter(isCode)) code.set(`agent.${AGENT_CODE[key]}`, value);
      data['agent'] = Object.fromEntries(entries.filter((entry) => !isCode(entry)));
    }
    const { contract } = data;
    if (isRecord(contract)) {
      data['contract'] = withoutFunctions(contract, { ...RULES, at: 'contract.invariants' }, code);
    }
    Object.assign(data, withoutFunctions(data, { ...RULES, at: 'invariants' }, code));
  });
}

/** What of an agent may be code, by the key of files. */
const AGENT_CODE: Readonly<Record<string, string>> = { function: 'function', resetFunction: 'reset_function' };

const RULES = { list: 'invariants', name: 'id' } as const;

function withoutCode(definition: unknown, take: (data: Data, code: Map<string, unknown>) => void): WithoutCode {
  const code = new Map<string, unknown>();
  const codeAt = (pointer: Pointer): unknown => code.get(pointer.join('.'));
  if (!isRecord(definition)) return { data: definition, codeAt };
  const data: Data = { ...definition };
  take(data, code);
  return { data, codeAt };
}

/** The holder of a list of what judges, each a function or a table with one under `check`; `name`: what each is called by. */
function withoutFunctions(
  holder: Readonly<Record<string, unknown>>,
  { list, name, at }: { readonly list: string; readonly name: string; readonly at: string },
  code: Map<string, unknown>,
): Readonly<Record<string, unknown>> {
  const judges = holder[list];
  if (!Array.isArray(judges)) return holder;
  const tables = judges.map((judge: unknown, index) => {
    const { check = judge, ...named } = isRecord(judge) ? judge : {};
    if (typeof check !== 'function') return judge;
    code.set(`${at}.${index}`, check);
    return { ...(check.name !== '' && check.name !== 'check' && { [name]: check.name }), ...named };
  });
  return { ...holder, [list]: tables };
}
