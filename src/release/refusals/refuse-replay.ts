import { PasskError } from '../../errors.ts';

/**
 * Throws `USAGE` where answers come from a cassette: it holds what was answered once, whoever that was, and shows nothing of
 * the agents, models and programs that are to be released now. Types leave the option out; a program may be no TypeScript.
 */
export function refuseReplay(options: object): void {
  if (!('replay' in options) || options.replay === undefined) return;
  throw new PasskError(
    'USAGE',
    `Answers of the cassette ${String(options.replay)} show nothing of what is released now.`,
    {
      hint: 'Leave "replay" out, so that whoever is released is asked; passk run takes cassettes.',
    },
  );
}
