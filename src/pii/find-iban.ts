import { type Span, spanOf } from './span.ts';

/** Lengths by country, from the IBAN registry of SWIFT. */
const LENGTHS: ReadonlyMap<string, number> = new Map(
  (
    'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24 ' +
    'FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 ' +
    'LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 ' +
    'RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30'
  )
    .split(' ')
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);

/**
 * A hit: the length of its country and right check digits (ISO 13616), bare or with a blank or hyphen between groups:
 * `DE89 3704 0044 0532 0130 00`. No hit: wrong check digits, an unknown country, another length.
 */
export function* findIbans(text: string): Generator<Span> {
  for (const { 0: start, index } of text.matchAll(/(?<![\p{L}\p{N}_])[A-Z]{2}\d{2}(?=[ -]?[A-Z0-9])/giu)) {
    const length = LENGTHS.get(start.slice(0, 2).toUpperCase());
    if (length === undefined) continue;
    const found = charactersFrom(text, index, length);
    if (found !== null && hasCheckDigits(found.replace(/[ -]/g, '').toUpperCase())) yield spanOf(index, found);
  }
}

/** So many letters and digits in a row, with single separators between them, and none right after; null: there are not. */
function charactersFrom(text: string, start: number, count: number): string | null {
  let end = start;
  for (let left = count; left > 0; left--) {
    if (left < count && /[ -]/.test(text.charAt(end))) end++;
    if (!/[A-Za-z0-9]/.test(text.charAt(end))) return null;
    end++;
  }
  return /[\p{L}\p{N}_]/u.test(text.charAt(end)) ? null : text.slice(start, end);
}

/** The first four go to the end, letters become two digits each, and the number leaves 1 when divided by 97. */
function hasCheckDigits(iban: string): boolean {
  let rest = 0;
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}
