/** The one key of a table that stands for a TOML date-time, as the reference engine spells it. */
export const DATE_TIME_KEY = '$__toml_private_datetime';

const DATE_TIME =
  /^(?:(\d{4})-(\d\d)-(\d\d))?(?:[Tt ]?(\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?)?(?:([Zz])|([+-])(\d\d):(\d\d))?$/;

/** The usual spelling of a TOML date-time, date or time: `T`, `Z`, seconds, no trailing zeros; null if impossible. */
export function dateTimeText(written: string): string | null {
  const match = DATE_TIME.exec(written);
  if (match === null || written === '') return null;
  const [, year, month, day, hour, minute, second = '00', fraction = '', zulu, sign, offsetHour, offsetMinute] = match;
  let text = '';
  if (year !== undefined && month !== undefined && day !== undefined) {
    if (Number(day) < 1 || Number(day) > daysIn(Number(year), Number(month))) return null;
    text += `${year}-${month}-${day}`;
  }
  if (hour !== undefined && minute !== undefined) {
    if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) return null;
    const digits = fraction.slice(0, 9).replace(/0+$/, '');
    text += `${text === '' ? '' : 'T'}${hour}:${minute}:${second}${digits === '' ? '' : `.${digits}`}`;
  }
  if (zulu !== undefined) text += 'Z';
  if (sign !== undefined) text += `${sign}${offsetHour}:${offsetMinute}`;
  return text;
}

function daysIn(year: number, month: number): number {
  if (month < 1 || month > 12) return 0;
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}
