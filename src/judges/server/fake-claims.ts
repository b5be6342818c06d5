import { textLines } from '../text-lines.ts';
import { factsIn } from './hidden-facts.ts';

/** A claim of a question to a verifier, and whether it holds. */
export interface FakeClaim {
  readonly id: string;
  readonly isGood: boolean;
}

/** The claims that a question of passk asks to verify; null: it asks for something else. */
export function claimsIn(system: string, shown: string): readonly FakeClaim[] | null {
  const ids = [...system.matchAll(/"criterion":"(claim-\d{1,4})"/g)].map(([, id = '']) => id);
  if (ids.length === 0) return null;
  const texts = textLines(shown);
  const contexts = [...texts].flatMap(([name, text]) => (name.startsWith('context ') ? [plain(text)] : []));
  return ids.map((id) => ({ id, isGood: isSupported(texts.get(id) ?? '', contexts) }));
}

/** The sentences of the answer that a question of passk asks to take apart; null: it asks for something else. */
export function sentencesIn(system: string, shown: string): readonly string[] | null {
  if (!/\{"mark":"m-[0-9a-f]+","claims":\[/.test(system)) return null;
  const sentences = (textLines(shown).get('answer') ?? '').split(/(?<=[.!?])\s/);
  return sentences.map((one) => one.trim()).filter((one) => one !== '' && !one.endsWith('?'));
}

/** As the hidden fact of the claim says; without one, where a context has the words of the claim one after the other. */
function isSupported(claim: string, contexts: readonly string[]): boolean {
  const good = factsIn(claim)
    .find((facts) => facts.has('good'))
    ?.get('good');
  if (good !== undefined) return good > 0;
  const words = plain(claim);
  return words !== '' && contexts.some((context) => context.includes(words));
}

/** Words in lower case, one space between them, and one around the whole. */
function plain(text: string): string {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.length === 0 ? '' : ` ${words.join(' ')} `;
}
