import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SuiteReport } from '../../../src/types/reports/report.ts';
import type { Attack } from './attack.ts';
import { allAttacks, byMark, runAttacks, startSwapping } from './battery.ts';
import { documentedLimits } from './documented-limits.ts';
import { openRange, type Range } from './range.ts';
import { writeChildren } from './subjects.ts';
import { SECRET } from './tool-attacks.ts';
import { judged, sampled } from '../../support/sampled.ts';

const DOCS = new URL('../../../docs/security.md', import.meta.url);

// Hosts on the loopback, links in /proc and programs of /usr/bin: what is attacked here is a Linux machine.
describe.skipIf(process.platform !== 'linux')('attacks on a machine where everything is granted', () => {
  let range: Range;
  let attacks: readonly Attack[];
  let still: readonly Attack[];
  let attacked: SuiteReport;
  let raced: SuiteReport;
  let traced: SuiteReport;
  let controlled: SuiteReport;
  let after: {
    readonly attack: Evidence;
    readonly race: Evidence;
    readonly trace: Evidence;
    readonly control: Evidence;
  };

  interface Evidence {
    readonly isUntouched: boolean;
    readonly footprints: readonly string[];
  }

  beforeAll(async () => {
    process.env[SECRET] = 'a canary of the environment';
    range = await openRange();
    writeChildren(range);
    attacks = allAttacks(range);
    still = attacks.filter(({ defence }) => defence !== 'race');
    const races = attacks.filter(({ defence }) => defence === 'race');
    const before = range.hash();
    range.arm();
    const look = (): Evidence => ({ isUntouched: range.hash() === before, footprints: [...range.footprints()] });
    attacked = await runAttacks(range, still, 'attack');
    const attack = look();
    const stop = await startSwapping(range, races);
    raced = await runAttacks(range, races, 'attack').finally(stop);
    const race = look();
    traced = await runAttacks(range, still, 'traced');
    const trace = look();
    controlled = await runAttacks(range, attacks, 'control');
    after = { attack, race, trace, control: look() };
    const { succeeded, denials } = attacked.security;
    process.stdout.write(
      `${attacks.length} attacks, ${succeeded + raced.security.succeeded} succeeded, ${denials} of ${still.length} denied by policy, ` +
        `${raced.security.denials} denials in ${raced.security.trials} races; ${attacks.length} controls, ${effective().length} effective\n`,
    );
  }, 180_000);

  afterAll(async () => {
    delete process.env[SECRET];
    await range?.close();
  });

  /** Attacks whose control did what policy keeps the attack from doing. */
  function effective(): readonly Attack[] {
    const reports = byMark(controlled);
    const prints = new Set(after.control.footprints);
    return attacks.filter(({ mark, told }) =>
      told === true ? reports.get(mark)?.trials.passed === 1 : prints.has(mark),
    );
  }

  test('leave no file, folder, request, program or call of a tool behind', () => {
    const { attack, race, trace } = after;
    const nothing = { isUntouched: true, footprints: [] };
    expect({ attack, race, trace }).toEqual({ attack: nothing, race: nothing, trace: nothing });
  });

  test('end as documented, each of them', () => {
    const failed = [...attacked.scenarios, ...raced.scenarios]
      .filter(({ trials }) => trials.passed !== trials.executed)
      .map(judged)
      .map(({ name, failures }) => [
        name,
        failures[0]?.brokenBy ?? failures[0]?.findings.map(({ message }) => message),
      ]);
    expect(failed).toEqual([]);
  });

  test('are denied exactly once, and the trace shows where', () => {
    const [counted, seen] = [byMark(attacked), byMark(traced)];
    const wrong = still.flatMap(({ mark, name, defence, subject }) => {
      const expected = defence === 'denied' ? 1 : 0;
      const events = judged(seen.get(mark)).failures[0]?.trace?.events ?? [];
      const denials = events.flatMap((event) => (event.kind === 'denial' ? [event.fromModel] : []));
      const isTold = events.length > 0 && denials.length === expected;
      const isBlamed = denials.every((fromModel) => fromModel === (subject.intel?.turns?.length ?? 0) > 0);
      const isCounted = sampled(counted.get(mark)).cost.total.policyDenials === expected;
      return isTold && isBlamed && isCounted ? [] : [{ name, events: events.length, denials }];
    });
    expect(wrong).toEqual([]);
  });

  test('would have done harm without the policy, each of them', () => {
    const harmless = attacks.filter((attack) => !effective().includes(attack));
    expect(harmless.map(({ mark, name }) => `${mark} ${name}`)).toEqual([]);
  });

  test('stand in the report with their success rate', () => {
    const denied = still.filter(({ defence }) => defence === 'denied');
    const blamed = denied.filter(({ subject }) => (subject.intel?.turns?.length ?? 0) > 0);
    expect(attacked.security).toEqual({
      scenarios: still.length,
      observed: blamed.length,
      trials: still.length,
      broken: 0,
      denials: denied.length,
      succeeded: 0,
      successRate: 0,
      reasons: {},
    });
    expect(controlled.security).toMatchObject({ scenarios: 0, successRate: null });
  });

  test('are as many as the documentation says', () => {
    expect(attacks.length).toBeGreaterThanOrEqual(300);
    expect(new Set(attacks.map(({ family, name }) => `${family}: ${name}`)).size).toBe(attacks.length);
    expect(readFileSync(DOCS, 'utf8')).toContain(tableOf(attacks));
  });

  test('succeed where the documentation says that policy does not judge', async () => {
    const limits = documentedLimits(range);
    range.arm();
    const report = await runAttacks(range, limits, 'attack');
    expect(report.security).toMatchObject({ denials: 0, succeeded: limits.length });
    expect([...range.footprints()].sort()).toEqual(limits.map(({ mark }) => mark));
  });
});

/** One row per family: attacks by what stops them. */
function tableOf(attacks: readonly Attack[]): string {
  const rows = [...new Set(attacks.map(({ family }) => family))].map((family) => row(family, attacks, family));
  return [...rows, row('all', attacks)].join('\n');
}

function row(title: string, attacks: readonly Attack[], family?: string): string {
  const mine = attacks.filter((attack) => family === undefined || attack.family === family);
  const count = (defence: Attack['defence']): number => mine.filter((attack) => attack.defence === defence).length;
  const counts = [mine.length, count('denied'), count('error'), count('inert'), count('race')];
  return `| ${title} | ${counts.join(' | ')} |`;
}
