import type { Fact, Reading } from './fact.ts';
import { foldWord, type Lexeme } from './lexemes.ts';

/** A fact and where it stands. */
export interface PlacedFact {
  readonly fact: Fact;
  readonly from: number;
  readonly to: number;
}

type Quantity = Extract<Reading, { kind: 'quantity' }>;

const JOINTS = new Set(['and', 'und', 'et']);

/** Facts in which `1 hour and 30 minutes` is one duration. */
export function joinDurations(facts: readonly PlacedFact[], lexemes: readonly Lexeme[]): readonly PlacedFact[] {
  const joined: PlacedFact[] = [];
  for (const next of facts) {
    const last = joined.at(-1);
    const one = last === undefined || !isJoint(lexemes, last.to, next.from) ? null : joinedOf(last, next);
    if (one === null) joined.push(next);
    else joined.splice(-1, 1, one);
  }
  return joined;
}

function joinedOf(first: PlacedFact, second: PlacedFact): PlacedFact | null {
  const [above, below] = [durationOf(first.fact), durationOf(second.fact)];
  if (above === null || below === null || above.factor <= below.factor) return null;
  const value = (above.amount.value * above.factor) / below.factor + below.amount.value;
  const reading: Quantity = { ...below, amount: { value, step: below.amount.step } };
  const fact: Fact = { ...first.fact, text: `${first.fact.text} ${second.fact.text}`, readings: [reading] };
  return { fact, from: first.from, to: second.to };
}

function durationOf({ readings }: Fact): Quantity | null {
  const found = readings.find((reading) => reading.kind === 'quantity' && reading.dimension === 'duration');
  return found?.kind === 'quantity' ? found : null;
}

/** True: nothing stands between them but a space, a comma or `and`. */
function isJoint(lexemes: readonly Lexeme[], from: number, to: number): boolean {
  if (to - from > 4) return false;
  for (let at = from; at < to; at++) {
    const lexeme = lexemes[at];
    const isFree = lexeme?.kind === 'space' || lexeme?.text === ',' || JOINTS.has(foldWord(lexeme?.text ?? ''));
    if (!isFree) return false;
  }
  return true;
}
