import { styledText } from '../probes/styled-text.ts';
import { withFiller } from '../probes/padded-text.ts';
import type { Dice } from './dice.ts';
import type { FakePair } from './fake-judge.ts';

/** A task with an answer that is right, friendly and whole, one that is none of these, and what both are made from. */
export interface OwnTask {
  readonly prompt: string;
  readonly useful: string;
  readonly useless: string;
  /** The useful answer with its sentences the other way round. */
  readonly reordered: string;
  /** They support each sentence of the useful answer, and the sum of the useless one nowhere. */
  readonly contexts: readonly string[];
}

const GOODS = ['lamps', 'chairs', 'tickets', 'books', 'cups', 'kettles', 'maps', 'pens', 'clocks', 'plants'] as const;
const ENDS = [
  'Delivery is free within the city.',
  'Returns are accepted within 30 days.',
  'The shop is open until 6 pm.',
  'Payment is due on delivery.',
] as const;

/** A task of passk's own, by the dice. */
export function ownTask(dice: Dice): OwnTask {
  const pick = <T>(list: readonly [T, ...T[]]): T => list[Math.floor(dice.uniform() * list.length)] ?? list[0];
  const [goods, end] = [pick(GOODS), pick(ENDS)];
  const [count, price] = [2 + Math.floor(dice.uniform() * 18), 3 + Math.floor(dice.uniform() * 60)];
  const sum = `The ${count} ${goods} cost $${count * price} together.`;
  return {
    prompt: `Please tell me what ${count} ${goods} at $${price} each cost together, and what else I should know.`,
    useful: `${sum} ${end}`,
    reordered: `${end} ${sum}`,
    useless: `It costs $${count * price + 7}, and I do not care what else you want to know.`,
    contexts: [sum, end, `Each of the ${count} ${goods} costs $${price}.`],
  };
}

/**
 * The pair that a fake judge would be shown, in words: the same answer twice, one of them longer, in another style, or with
 * its sentences the other way round. Which of two sentences comes first is worth nothing.
 */
export function pairInWords(
  { useful, reordered }: OwnTask,
  { longer }: FakePair,
  dress: 'reordered' | 'first' | 'longer' | 'styled',
): { readonly candidate: string; readonly other: string } {
  if (dress === 'reordered') return { candidate: reordered, other: useful };
  if (dress === 'first') return { candidate: useful, other: reordered };
  const candidate = withFiller(useful, Math.max(0, longer));
  return {
    candidate: dress === 'styled' ? styledText(candidate) : candidate,
    other: withFiller(useful, Math.max(0, -longer)),
  };
}
