/** Months from 1 by what they are called in English, German and French, folded. */
export const MONTHS: ReadonlyMap<string, number> = numbered(1, [
  'january jan januar janner janvier janv',
  'february feb februar fevrier fevr fev',
  'march mar marz mars',
  'april apr avril avr',
  'may mai',
  'june jun juni juin',
  'july jul juli juillet juil',
  'august aug aout',
  'september sep sept septembre',
  'october oct oktober okt octobre',
  'november nov novembre',
  'december dec dezember dez decembre',
]);

/** Days of the week from 0, Sunday. */
export const WEEKDAYS: ReadonlyMap<string, number> = numbered(0, [
  'sunday sundays sun sonntag sonntags dimanche',
  'monday mondays mon montag montags lundi',
  'tuesday tuesdays tue tues dienstag dienstags mardi',
  'wednesday wednesdays wed mittwoch mittwochs mercredi',
  'thursday thursdays thu thur thurs donnerstag donnerstags jeudi',
  'friday fridays fri freitag freitags vendredi',
  'saturday saturdays sat samstag samstags sonnabend samedi',
]);

function numbered(first: number, rows: readonly string[]): ReadonlyMap<string, number> {
  return new Map(rows.flatMap((row, index) => row.split(' ').map((word) => [word, first + index] as const)));
}
