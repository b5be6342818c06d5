import { type Dice, diceOf } from '../tunnel/dice.ts';
import { type AnswerFault, answerText, chanceOfFirst, drawLuck, type Luck } from '../tunnel/fake-judge.ts';
import { passesItem } from '../tunnel/judge-items.ts';
import { claimsIn, sentencesIn } from './fake-claims.ts';
import { factsIn, luckIn, shownAnswer } from './hidden-facts.ts';
import { SPOKEN_FAULTS, type ServedJudge, type SpokenFaults } from './served-judge.ts';

/** What a fake judge is asked: the texts of its instructions, and of what it is shown. */
export interface FakeAsked {
  readonly system: string;
  readonly shown: string;
}

/** An answer of a fake judge. */
export interface FakeAnswer {
  readonly text: string;
  readonly isTruncated: boolean;
}

/**
 * What a fake judge answers to a question of passk, or to any other that shows one answer or two with hidden facts. The
 * same seed, judge and question give the same answer.
 */
export function fakeAnswer(judge: ServedJudge, asked: FakeAsked, seed: number): FakeAnswer {
  const { system, shown } = asked;
  const mark = /"mark":"(m-[0-9a-f]+)"/.exec(system)?.[1];
  const dice = diceOf(seed, JSON.stringify([judge, asked]));
  const answers = factsIn(shown).filter((facts) => !facts.has('luck'));
  const isPair = mark === undefined ? answers.length > 1 : /"verdict":"A" or "B" or "tie"\}/.test(system);
  const brought = luckIn(factsIn(shown));
  const luck = brought ?? drawLuck(isPair ? judge.pairs : judge.items, dice);
  const fault = luck.fault ?? drawSpoken(judge.spoken, dice);
  const marked = mark === undefined ? {} : { mark };
  const said = isPair ? pairAnswer(judge, shown, luck) : itemAnswer(judge, { system, shown, luck, brought, dice });
  const text = answerText(fault, {
    plain: JSON.stringify({ ...marked, ...said.plain }),
    other: JSON.stringify({ ...marked, ...said.other }),
  });
  return { text, isTruncated: fault === 'truncated' };
}

interface Said {
  readonly plain: object;
  /** The same with another verdict. */
  readonly other: object;
}

function pairAnswer({ pairs }: ServedJudge, shown: string, luck: Luck): Said {
  const [first, second] = answersOf(shown);
  const prefers = luck.verdict < chanceOfFirst(pairs, first, second) !== luck.noise < pairs.noise;
  const says = (isFirst: boolean): object => ({ reason: 'It is better.', verdict: isFirst ? 'A' : 'B' });
  return { plain: says(prefers), other: says(!prefers) };
}

/** The two answers of a question: those of its two records, or the first two that have facts. */
function answersOf(shown: string): readonly [ReturnType<typeof shownAnswer>, ReturnType<typeof shownAnswer>] {
  const facts = (text: string) => factsIn(text).filter((one) => !one.has('luck'));
  const between = shown.split(/^record B:$/m);
  if (between.length === 2) {
    const [first, second] = between.map((text) => facts(text).at(-1));
    return [shownAnswer(first), shownAnswer(second)];
  }
  const [first, second] = facts(shown);
  return [shownAnswer(first), shownAnswer(second)];
}

interface ItemQuestion extends FakeAsked {
  readonly luck: Luck;
  readonly brought: Luck | null;
  readonly dice: Dice;
}

/** A verdict on each claim or criterion, or the claims of an answer; without passk's criteria one on the whole. */
function itemAnswer({ items }: ServedJudge, { system, shown, luck, brought, dice }: ItemQuestion): Said {
  const facts = factsIn(shown).filter((one) => !one.has('luck'));
  const isGood = (facts.at(-1)?.get('good') ?? 0) > 0;
  const claims = claimsIn(system, shown);
  if (claims !== null) {
    const verdicts = claims.map((claim, at) => {
      const own = at === 0 || brought !== null ? luck : drawLuck(items, dice);
      return {
        criterion: claim.id,
        reason: 'It is so.',
        met: passesItem({ judge: items, isGood: claim.isGood, luck: own }),
      };
    });
    return bothWays(verdicts);
  }
  const sentences = sentencesIn(system, shown);
  if (sentences !== null) return { plain: { claims: sentences }, other: { claims: [...sentences, 'It is so.'] } };
  const criteria = [...system.matchAll(/^criterion "([A-Za-z0-9._-]{1,64})":/gm)].map(([, id = '']) => id);
  if (criteria.length === 0) {
    const met = passesItem({ judge: items, isGood, luck });
    return { plain: { met }, other: { met: !met } };
  }
  const verdicts = criteria.map((criterion, at) => {
    const own = at === 0 || brought !== null ? luck : drawLuck(items, dice);
    return { criterion, reason: 'It is so.', met: passesItem({ judge: items, isGood, luck: own }) };
  });
  return bothWays(verdicts);
}

function bothWays(verdicts: readonly { readonly met: boolean }[]): Said {
  return { plain: { verdicts }, other: { verdicts: verdicts.map((one) => ({ ...one, met: !one.met })) } };
}

function drawSpoken(spoken: SpokenFaults, dice: Dice): AnswerFault | null {
  const words = Object.keys(SPOKEN_FAULTS) as readonly (keyof SpokenFaults)[];
  return words.find((word) => spoken[word] > 0 && dice.coin(spoken[word])) ?? null;
}
