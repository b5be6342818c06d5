import type { Persona } from '../../types/sessions/persona.ts';
import type { ScriptedUser, UserModel } from '../../types/sessions/session-user.ts';

/** The user of a task as a persona: what the persona says stands in place of what the task says. */
export function withPersona(user: ScriptedUser | UserModel, persona: Persona): ScriptedUser | UserModel {
  const { verbosity, typos, patience, who } = persona;
  if (user.kind !== 'model') {
    return {
      ...user,
      ...(verbosity !== undefined && { verbosity }),
      ...(typos !== undefined && { typos }),
      ...(patience !== undefined && { patience }),
    };
  }
  const { card } = user;
  const manner = new Map([...card.manner, ...mannerOf(persona)].map(({ name, value }) => [name, value]));
  return {
    ...user,
    card: {
      ...card,
      ...(who !== undefined && { who }),
      manner: [...manner].map(([name, value]) => ({ name, value })),
    },
  };
}

/** In words, which models follow. */
function mannerOf({ verbosity, typos, patience, manner }: Persona): Persona['manner'] {
  return [
    ...(verbosity === undefined ? [] : [{ name: 'verbosity', value: verbosity }]),
    ...(typos === undefined ? [] : [{ name: 'typing errors', value: typingText(typos) }]),
    ...(patience === undefined ? [] : [{ name: 'patience', value: patienceText(patience) }]),
    ...manner,
  ];
}

function typingText(typos: number): string {
  return typos === 0
    ? 'none'
    : `in about ${Number((100 * typos).toPrecision(3))} % of the words, but never in numbers and names`;
}

function patienceText(patience: number): string {
  return `gives up after ${patience === 1 ? 'one message' : `${patience} messages in a row`} that did not help`;
}
