import { isMark, type Lexeme } from './lexemes.ts';
import { type Unit, unitsNamed } from './units.ts';

/** Between two units: `km/h`, `miles per hour`. */
const PER = new Set(['per', 'pro', 'par', 'a', 'an']);
const DEGREES = new Set(['degree', 'degrees', 'Grad', 'degrés']);
/** What is a unit only where it touches its number: `5d`, and never `5 a day`. */
const TOUCHING = new Set(['d']);

export interface FoundUnit {
  /** Every unit that it may mean. */
  readonly units: readonly Unit[];
  readonly next: number;
}

/** The unit behind a number, after a space or a hyphen or none; null: what follows is no unit. */
export function readUnit(lexemes: readonly Lexeme[], at: number): FoundUnit | null {
  const hasGap = lexemes[at]?.kind === 'space' || isMark(lexemes[at], '-‐‑');
  const first = oneUnit(lexemes, hasGap ? at + 1 : at, hasGap);
  return first === null ? null : withRate(lexemes, first);
}

/** The same, with what it is a rate of, as in `5 € per month`. */
export function withRate(lexemes: readonly Lexeme[], first: FoundUnit): FoundUnit {
  const below = belowAt(lexemes, first.next);
  const second = below === null ? null : oneUnit(lexemes, below, false);
  if (second === null) return first;
  const rates = first.units.flatMap((above) => second.units.map((unit) => rate(above, unit)));
  const above = first.units.map((unit): Unit => ({ ...unit, ofRate: true }));
  return { units: [...rates, ...above], next: second.next };
}

function oneUnit(lexemes: readonly Lexeme[], at: number, hasGap: boolean): FoundUnit | null {
  const lexeme = lexemes[at];
  if (lexeme === undefined) return null;
  const after = lexemes[at + 1];
  if (isMark(lexeme, '°') && after?.kind === 'word') return named(`°${after.text}`, at + 2);
  if (DEGREES.has(lexeme.text) && after?.kind === 'space')
    return named(`°${lexemes[at + 2]?.text.charAt(0) ?? ''}`, at + 3);
  // `per cent`, `pour cent`
  const last = lexemes[at + 2];
  if ((lexeme.text === 'per' || lexeme.text === 'pour') && last?.text === 'cent') return named('%', at + 3);
  if (lexeme.kind === 'space' || lexeme.kind === 'digits') return null;
  if (hasGap && TOUCHING.has(lexeme.text)) return null;
  const power = after?.kind === 'digits' && (after.text === '2' || after.text === '3') ? after.text : '';
  const raised = power === '' ? null : named(lexeme.text + power, at + 2);
  return raised ?? named(lexeme.text, at + 1);
}

function named(name: string, next: number): FoundUnit | null {
  const units = unitsNamed(name);
  return units.length === 0 ? null : { units, next };
}

/** Where the unit below the line of a rate begins. */
function belowAt(lexemes: readonly Lexeme[], at: number): number | null {
  if (isMark(lexemes[at], '/')) return at + 1;
  const isPer = lexemes[at]?.kind === 'space' && PER.has(lexemes[at + 1]?.text ?? '');
  return isPer && lexemes[at + 2]?.kind === 'space' ? at + 3 : null;
}

function rate(above: Unit, below: Unit): Unit {
  const system = above.system === 'imperial' || below.system === 'imperial' ? 'imperial' : 'metric';
  return {
    dimension: `${above.dimension}/${below.dimension}`,
    factor: above.factor / below.factor,
    offset: 0,
    system,
  };
}
