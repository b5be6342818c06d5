import type { CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { type Span, spanOf } from './span.ts';

/** The numbering plans of all countries. They are much to read, so that only those load them who name countries. */
export interface NumberingPlans {
  readonly isCountry: (code: string) => boolean;
  /** Finds numbers as they are written inside of these countries. */
  readonly finderFor: (countries: readonly string[]) => (text: string) => Iterable<Span>;
}

export async function loadNumberingPlans(): Promise<NumberingPlans> {
  const { isSupportedCountry, parsePhoneNumberFromString: parse } = await import('libphonenumber-js/max');
  return {
    isCountry: (code) => isSupportedCountry(code),
    finderFor: (countries) => (text) => findNationalPhones(text, countries as readonly CountryCode[], parse),
  };
}

/** Words before what is a phone number, however it is written. */
const PHONE_BEFORE =
  /(?:phone|mobile|cell|call|tel|telefon|handy|rufnummer|anrufen|téléphone|portable|appel\w*|teléfono|móvil|llam\w*|telefono|cellulare|chiam\w*|telefone|celular|telemóvel|lig\w*|telefonu|komórk\w*|zadzwoń|电话|手机|電話|携帯)[\p{L}\s.:=#"'(-]{0,20}$/iu;

/** Days, whatever the order, and addresses. */
const NO_PHONE =
  /^(?:\d{1,3}(?:\.\d{1,3}){3}|\d{1,2}[-./ ]\d{1,2}[-./ ](?:\d{2}|\d{4})|\d{4}[-./ ]\d{1,2}[-./ ]\d{1,2})$/;

/**
 * A hit: a number that is valid by the numbering plan of one of the countries, that begins with 0, stands in groups, or
 * follows a word for phones (`030 901820`, `06 12 34 56 78`, `Tel. 912345678`). No hit: dates, amounts, bare numbers such as
 * those of orders, a part of a longer number.
 */
function* findNationalPhones(
  text: string,
  countries: readonly CountryCode[],
  parse: typeof parsePhoneNumberFromString,
): Generator<Span> {
  const candidates = /(?<![\p{L}\p{N}_+.,/-])\(?\d(?:[-. /()]{0,2}\d){5,14}(?![\p{L}\p{N}_]|[-.,/]\d)/gu;
  for (const { 0: found, index } of text.matchAll(candidates)) {
    if (NO_PHONE.test(found)) continue;
    const isWritten =
      /^\(?0/.test(found) ||
      /\d[-. /()]+\d+[-. /()]+\d/.test(found) ||
      PHONE_BEFORE.test(text.slice(Math.max(0, index - 40), index));
    if (!isWritten) continue;
    // A number of another country is no number of this one, though its plan may take it.
    if (countries.some((country) => parse(found, country)?.isValid() === true)) yield spanOf(index, found);
  }
}
