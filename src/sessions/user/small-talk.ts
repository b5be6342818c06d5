import type { UserDraws } from './user-draws.ts';

/** None of it asks for anything or names anything, so that the dialogue goes the same way. */
const BEFORE = [
  'Thanks for your patience with me.',
  'Right, so.',
  'Sorry, it has been a long day.',
  'Okay, let me see.',
];
const AFTER = [
  'I hope that helps.',
  'My neighbour had the same once.',
  'Take your time.',
  'It was raining all week here.',
];

/** A text with small talk before and after it. */
export function withSmallTalk(text: string, draws: UserDraws, message: number): string {
  const pick = (list: readonly string[], what: string): string =>
    list[Math.floor(draws.share(what, message) * list.length)] ?? '';
  return `${pick(BEFORE, 'before')} ${text} ${pick(AFTER, 'after')}`;
}
