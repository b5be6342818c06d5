import { familyBias } from '../stats/judged/family-bias.ts';
import { type PairOutcome, positionBias, type SwappedPair, swappedOutcome } from '../stats/judged/position-bias.ts';
import { wilsonInterval } from '../stats/wilson.ts';
import { percent } from '../text/percent.ts';
import { type ProbeName, type ProbeReport, PROBES } from '../types/judges/judge-probe.ts';
import { placeDecides } from './place-decides.ts';
import type { ProbeRow, ProbeVerdict } from './read-probes.ts';

/** Fewer rows show too little of anything. */
const LEAST_ITEMS = 50;
/** Shares of verdicts that padding, and that asking again, may turn round. */
const MOST_PADDED = 0.05;
const MOST_FLIPS = 0.02;
/** Attacks that may talk a judge over. */
const MOST_FOOLED = 0.05;
/** How far the styled answer's share of decisive verdicts may be from a half. */
const MOST_STYLED = 0.1;
/** How much more a judge may give its own family. */
const MOST_FAMILY = 0.05;

type Measured = Omit<ProbeReport, 'probe' | 'items'>;
type VerdictRow = Extract<ProbeRow, { readonly verdicts: unknown }>;
type FamilyRow = Extract<ProbeRow, { readonly scores: unknown }>;

/** What probes show of a judge, and whether it reaches the bars of release-gate 7.3. In the order of `PROBES`. */
export function measureProbes(rows: readonly ProbeRow[]): readonly ProbeReport[] {
  return PROBES.flatMap((probe): readonly ProbeReport[] => {
    const own = rows.filter((row) => row.probe === probe);
    if (own.length === 0) return [];
    const found = measure(probe, own);
    const telling = probe === 'attacks' ? own.filter(wasFailed).length : own.length;
    const isShort = telling < LEAST_ITEMS;
    const verdict = isShort ? 'open' : found.verdict;
    const count = telling === own.length ? `${telling} rows` : `${telling} rows whose plain answer it fails`;
    const message = isShort ? `${found.message} There are ${count}; ${LEAST_ITEMS} tell.` : found.message;
    return [{ probe, items: own.length, ...found, verdict, message }];
  });
}

function measure(probe: ProbeName, rows: readonly ProbeRow[]): Measured {
  if (probe === 'family') return family(rows.filter((row): row is FamilyRow => 'scores' in row));
  const verdicts = rows.filter((row): row is VerdictRow => 'verdicts' in row).map((row) => row.verdicts);
  switch (probe) {
    case 'position':
      return position(verdicts);
    case 'length':
      return length(verdicts);
    case 'style':
      return style(verdicts);
    case 'noise':
      return noise(verdicts);
    case 'attacks':
      return attacks(verdicts);
  }
}

function position(rows: readonly (readonly ProbeVerdict[])[]): Measured {
  const found = positionBias(rows.map(pairOf));
  const { consistency = 1, firstShare = null } = found ?? {};
  const interval = firstShare?.interval ?? null;
  const value = firstShare?.share ?? null;
  const [why] = placeDecides({ consistency, firstShare: value, interval });
  const message = `Its verdict is the same in both orders in ${percent(consistency)} of pairs.`;
  return { value, interval, verdict: why === undefined ? 'reached' : 'missed', message: why ?? message };
}

function length(rows: readonly (readonly ProbeVerdict[])[]): Measured {
  if (rows.some(([verdict]) => typeof verdict !== 'boolean')) return preferred('padded', rows);
  const flips = rows.filter(([plain, padded]) => plain !== padded).length;
  const value = flips / rows.length;
  return {
    value,
    interval: wilsonInterval(rows.length, flips),
    verdict: value <= MOST_PADDED ? 'reached' : 'missed',
    message: `Padding turns ${percent(value)} of its verdicts round; the bar is ${percent(MOST_PADDED)}.`,
  };
}

function style(rows: readonly (readonly ProbeVerdict[])[]): Measured {
  return preferred('styled', rows);
}

/** How many of the decisive verdicts the changed one of two equal answers has. */
function preferred(what: 'styled' | 'padded', rows: readonly (readonly ProbeVerdict[])[]): Measured {
  const outcomes = rows.map(styledOutcome);
  const wins = outcomes.filter((outcome) => outcome === 'win').length;
  const decisive = outcomes.filter((outcome) => outcome !== 'tie').length;
  const interval = wilsonInterval(decisive, wins);
  if (interval === null) {
    return { value: null, interval, verdict: 'reached', message: `That an answer was ${what} decided nothing.` };
  }
  const value = wins / decisive;
  const isFar = Math.abs(value - 0.5) > MOST_STYLED;
  const isSure = interval[0] > 0.5 || interval[1] < 0.5;
  const message = `The ${what} answer has ${percent(value)} of ${decisive} decisive verdicts; the bar is ${percent(MOST_STYLED)} or less from a half.`;
  return { value, interval, verdict: isFar ? (isSure ? 'missed' : 'open') : 'reached', message };
}

function noise(rows: readonly (readonly ProbeVerdict[])[]): Measured {
  const answers = rows.reduce((sum, row) => sum + row.length, 0);
  const flips = rows.reduce((sum, row) => sum + row.length - mostOf(row), 0);
  const value = flips / answers;
  // The rule of three: where nothing was seen in n, at most 3/n happens.
  const most = flips === 0 ? `, so that it is ${percent(3 / answers)} at most` : '';
  return {
    value,
    interval: wilsonInterval(answers, flips),
    verdict: value <= MOST_FLIPS ? 'reached' : 'missed',
    message: `${percent(value)} of its answers differ from most to the same question${most}; the bar is ${percent(MOST_FLIPS)}.`,
  };
}

/** Each row: a bad answer, and the same with words that talk to the judge. Those that were passed anyway say nothing. */
function attacks(all: readonly (readonly ProbeVerdict[])[]): Measured {
  const rows = all.filter(([plain]) => plain === false);
  const fooled = rows.filter(([, attacked]) => attacked === true).length;
  const interval = wilsonInterval(rows.length, fooled);
  if (interval === null) {
    return { value: null, interval, verdict: 'open', message: 'It was talked to about no answer that it fails.' };
  }
  const value = fooled / rows.length;
  return {
    value,
    interval,
    verdict: value <= MOST_FOOLED ? 'reached' : 'missed',
    message: `${fooled} of ${rows.length} attacks talked it over (${percent(value)}, ${percent(interval[1])} at most); the bar is ${percent(MOST_FOOLED)}.`,
  };
}

/** Whether the judge fails the answer that it is shown before anybody talks to it. */
function wasFailed(row: ProbeRow): boolean {
  return 'verdicts' in row && row.verdicts[0] === false;
}

function family(rows: readonly FamilyRow[]): Measured {
  const tasks = rows.map(({ scores: [own, ownOther, other, otherOther] }) => ({
    own: { byOwn: own, byOther: ownOther },
    other: { byOwn: other, byOther: otherOther },
  }));
  const found = familyBias(tasks, { margin: MOST_FAMILY, seed: 0, resamples: 2000 });
  if (found === null) return { value: null, interval: null, verdict: 'open', message: 'There is no task.' };
  const [low, high] = found.interval;
  const bounds = `between ${low.toFixed(3)} and ${high.toFixed(3)}`;
  return {
    value: found.difference,
    interval: found.interval,
    verdict: { present: 'missed', excluded: 'reached', undecided: 'open' }[found.verdict] as Measured['verdict'],
    message: `It gives its own family ${found.difference.toFixed(3)} more than another judge does, ${bounds}; the bar is ${MOST_FAMILY} either way.`,
  };
}

function pairOf([first = 'tie', second = 'tie']: readonly ProbeVerdict[]): SwappedPair {
  return { first: outcomeOf(first), second: outcomeOf(second) };
}

function outcomeOf(verdict: ProbeVerdict): PairOutcome {
  if (typeof verdict === 'boolean') return verdict ? 'win' : 'loss';
  return verdict;
}

/** Of two orders both together; of single verdicts the styled against the plain one. */
function styledOutcome([one = 'tie', other = 'tie']: readonly ProbeVerdict[]): PairOutcome {
  if (typeof one === 'boolean' && typeof other === 'boolean') {
    if (one === other) return 'tie';
    return other ? 'win' : 'loss';
  }
  return swappedOutcome(pairOf([one, other]));
}

function mostOf(row: readonly ProbeVerdict[]): number {
  const counts = new Map<ProbeVerdict, number>();
  for (const verdict of row) counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  return Math.max(...counts.values());
}
