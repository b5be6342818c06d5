import { deriveWords } from '../random/draw.ts';

/** A week as ISO 8601 counts them. */
export interface IsoWeek {
  readonly year: number;
  readonly week: number;
}

/** What a text such as `2026-W48` names, or why it names no week. */
export function readIsoWeek(text: string): IsoWeek | { readonly problem: string } {
  const parts = /^(\d{4})-W(\d{2})$/.exec(text);
  if (parts === null) return { problem: `${JSON.stringify(text)} is no week such as "2026-W48"` };
  const [year, week] = [Number(parts[1]), Number(parts[2])];
  if (year === 0) return { problem: 'years begin with 0001' };
  const last = weeksIn(year);
  return week >= 1 && week <= last ? { year, week } : { problem: `${parts[1]} has the weeks 01 to ${last}` };
}

/** The weeks of a year: 53 where it begins on a Thursday, or ends on one. Source: ISO 8601. */
export function weeksIn(year: number): 52 | 53 {
  return lastWeekday(year) === THURSDAY || lastWeekday(year - 1) === THURSDAY - 1 ? 53 : 52;
}

const THURSDAY = 4;

/** The day of the week of 31 December, in the Gregorian calendar; 0 is Sunday. */
function lastWeekday(year: number): number {
  return (year + Math.floor(year / 4) - Math.floor(year / 100) + Math.floor(year / 400)) % 7;
}

/** What everything is drawn from that a family generates in a week, with these parameters (as canonical text). */
export function seedOfWeek({ year, week }: IsoWeek, family: string, params: string): number {
  return deriveWords(year * 100 + week, `week\u0000${family}\u0000${params}`)[0] >>> 0;
}
