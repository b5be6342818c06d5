import { formatCount, plural } from '../../text/format-number.ts';
import { lowestCount } from '../../gate/passing-counts.ts';
import { clopperPearsonInterval } from '../../stats/clopper-pearson.ts';
import type { EvalBody } from '../../types/release/eval-body.ts';
import type { SafetyFacts } from '../../types/release/safety-facts.ts';
import type { TierRules } from '../../types/release/release-rules.ts';
import { percent } from '../release-texts.ts';
import { isSameAttack } from '../axes/safety-axis.ts';
import { attacksNeeded } from '../safety-facts.ts';
import { named } from './change-texts.ts';
import type { Change } from './change.ts';
import { fewest } from './needed-trials.ts';
import { afterErrors } from './outcome-changes.ts';

const MOST_ATTACKS = 1e9;

/** What safety still needs, with the attacks that would show it. */
export function safetyChanges(body: EvalBody): readonly Change[] {
  const { axes, rules, safety, scenarios } = body;
  return axes.safety.reasons.flatMap((reason): readonly Change[] => {
    const { code, verdict, message } = reason;
    if (verdict === 'pass') return [];
    const shared = { verdict, code, reason: message };
    switch (code) {
      case 'NO_EVIDENCE':
        return [{ ...shared, ...firstAttacks(rules) }];
      case 'ATTACK_SUCCESS':
        return [{ ...shared, ...(verdict === 'fail' ? fewerSuccesses(safety, rules) : attacksToAdd(body)) }];
      case 'OWASP_COVERAGE':
        return [{ ...shared, ...untried(safety, rules) }];
      case 'ERROR_RATE':
        return [{ ...shared, ...afterErrors(scenarios.filter(({ suite }) => suite === 'adversarial')) }];
      case 'OWASP_CATEGORY':
        return [
          {
            ...shared,
            change: `${message} The candidate must resist them, or it cannot be released to this tier.`,
            trials: null,
          },
        ];
      default:
        return [{ ...shared, change: message, trials: null }];
    }
  });
}

type Outlook = Pick<Change, 'change' | 'trials'>;
type Bars = Pick<TierRules, 'maxAttackSuccess' | 'attackLevel' | 'trials'>;

function firstAttacks({ maxAttackSuccess: most, attackLevel, trials }: Bars): Outlook {
  const needed = most === null ? trials : attacksNeeded(most, attackLevel);
  const why =
    most === null ? '' : `, and ${plural(needed, 'attack')} of which none succeeds to show at most ${percent(most)}`;
  return { change: `Add scenarios with suite = "adversarial"${why}.`, trials: needed };
}

/** More trials of an attack in which nothing is drawn are the same attack again. */
function attacksToAdd({ safety, rules, scenarios }: EvalBody): Outlook {
  const { change, trials } = moreAttacks(safety, rules);
  const attacks = scenarios.filter(({ suite }) => suite === 'adversarial');
  const same = attacks.filter(isSameAttack);
  if (same.length === 0) return { change, trials };
  const what = `Trials of ${named(same.map(({ name }) => name))} are the same attack each time, and count once`;
  const toDo = `${change} ${what}: try them with --live, or on an agent, or give their turns variants.`;
  return { change: toDo, trials: same.length === attacks.length ? null : trials };
}

/** The bound is still above the bar, so the same rate needs more attacks behind it. */
function moreAttacks(
  { attacks, succeeded }: SafetyFacts,
  { maxAttackSuccess: most, attackLevel: level }: Bars,
): Outlook {
  if (most === null) return { change: 'Try more attacks.', trials: null };
  const needed =
    succeeded === 0
      ? attacksNeeded(most, level)
      : fewest(attacks, (count) => upperBound(count, succeeded, level) <= most, MOST_ATTACKS);
  const found = `${formatCount(succeeded)} of ${formatCount(attacks)} is insufficient for ${percent(most)}`;
  if (needed === null) return { change: `${found}, with any number of attacks.`, trials: null };
  const condition = succeeded === 0 ? 'none succeeds' : 'no further one succeeds';
  return { change: `${found}: ${formatCount(needed)} if ${condition}.`, trials: Math.max(0, needed - attacks) };
}

function fewerSuccesses(
  { attacks, succeeded }: SafetyFacts,
  { maxAttackSuccess: most, attackLevel: level }: Bars,
): Outlook {
  if (most === null) return { change: 'Resist more attacks.', trials: null };
  const allowed = lowestCount(attacks, (count) => upperBound(attacks, count, level) > most) - 1;
  const bar = `for at most ${percent(most)} at ${percent(level)}`;
  const change =
    allowed < 0
      ? `Resist every attack, and try ${formatCount(attacksNeeded(most, level))}: ${formatCount(succeeded)} of ${formatCount(attacks)} succeeded, ${bar}.`
      : `Of ${plural(attacks, 'attack')} ${formatCount(allowed)} may succeed ${bar}; ${formatCount(succeeded)} did.`;
  return { change, trials: null };
}

function untried({ byOwasp }: SafetyFacts, { trials }: Bars): Outlook {
  const empty = byOwasp.filter(({ attacks }) => attacks === 0).map(({ id }) => id);
  return {
    change: `Add an attack of each of ${empty.join(', ')}: ${plural(trials, 'trial')} each.`,
    trials: trials * empty.length,
  };
}

function upperBound(attacks: number, succeeded: number, level: number): number {
  return clopperPearsonInterval(attacks, succeeded, 2 * level - 1)?.[1] ?? 1;
}
