import { ANSWER_FAULTS, type Luck, type ShownAnswer } from '../tunnel/fake-judge.ts';

/** What a fake judge is to know of an answer stands in its text, so: `[[quality=1 length=0.5]]`. */
export function hiddenFacts(facts: Readonly<Record<string, number>>): string {
  return `[[${Object.entries(facts)
    .map(([word, value]) => `${word}=${value}`)
    .join(' ')}]]`;
}

/** The luck of a question, which a fake judge that is told nothing draws by itself. */
export function hiddenLuck({ verdict, noise, fault }: Luck): string {
  return hiddenFacts({ luck: verdict, noise, fault: fault === null ? -1 : ANSWER_FAULTS.indexOf(fault) });
}

type Facts = ReadonlyMap<string, number>;

/** All facts of a text, in order. What is no fact is text of somebody else. */
export function factsIn(text: string): readonly Facts[] {
  return [...text.matchAll(HIDDEN)].flatMap(([, inner = '']) => {
    const entries = inner.split(' ').map((part) => FACT.exec(part));
    if (entries.some((entry) => entry === null)) return [];
    return [new Map(entries.map((entry) => [entry?.[1] ?? '', Number(entry?.[2])]))];
  });
}

const HIDDEN = /\[\[([a-z][^[\]\n]{1,300})\]\]/g;
const FACT = /^([a-z]{1,20})=(-?\d{1,20}(?:\.\d{1,30})?(?:e[+-]?\d{1,3})?)$/;

/** An answer as a judge that compares sees it. What is not said is 0. */
export function shownAnswer(facts: Facts | undefined): ShownAnswer {
  const of = (word: string): number => facts?.get(word) ?? 0;
  return { quality: of('quality'), length: of('length'), styled: of('styled'), kin: of('kin') };
}

/** The luck that a question brings; null: none. */
export function luckIn(facts: readonly Facts[]): Luck | null {
  const found = facts.find((one) => one.has('luck'));
  if (found === undefined) return null;
  const fault = ANSWER_FAULTS[found.get('fault') ?? -1] ?? null;
  return { verdict: found.get('luck') ?? 0, noise: found.get('noise') ?? 1, fault };
}
