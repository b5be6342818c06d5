import { plural } from '../../text/format-number.ts';
import type { EvalBody, GovernanceFinding } from '../../types/release/eval-body.ts';
import type { Change } from './change.ts';
import { named } from './change-texts.ts';

/** What the test material still needs. */
export function governanceChanges(body: EvalBody): readonly Change[] {
  return body.governance.flatMap((finding): readonly Change[] => {
    const { verdict, code, message: reason } = finding;
    return verdict === 'pass' ? [] : [{ verdict, code, reason, ...outlook(finding, body) }];
  });
}

function outlook(
  { code, message, scenarios }: GovernanceFinding,
  { rules, release, asOf, scenarioSet, candidate }: EvalBody,
): Pick<Change, 'change' | 'trials'> {
  const which = named(scenarios);
  switch (code) {
    case 'MISSING_SUITE':
      return { change: `${message} Add one: ${plural(rules.trials, 'trial')}.`, trials: rules.trials };
    case 'DROPPED':
      return { change: `Put back ${which}.`, trials: scenarios.length * rules.trials };
    case 'OTHER_PRIOR':
      return { change: `Give the record of an earlier version of ${candidate.name} with --prior.`, trials: 0 };
    case 'DUPLICATE':
      return { change: `Leave out ${which}, or make them try something else.`, trials: 0 };
    case 'UNREVIEWED':
      return { change: `Have ${which} reviewed, with release = "${release}" under [provenance] review.`, trials: 0 };
    case 'STALE_REGRESSION':
    case 'STALE_ADVERSARIAL':
      return { change: `Renew ${which}, with refreshed = "${asOf}" under [provenance].`, trials: 0 };
    case 'NO_CONSENT':
      return { change: `Say under [provenance] consent by which policy ${which} may be used.`, trials: 0 };
    case 'UNSCRUBBED':
      return { change: `Take personal data out of ${which}, and say so under [provenance] scrub.`, trials: 0 };
    case 'GOLDEN_SIZE': {
      const missing = Math.max(0, (rules.golden?.[0] ?? 0) - scenarioSet.bySuite.regression);
      const what = missing > 0 ? ` Add ${plural(missing, 'scenario')}.` : ' Leave some out.';
      return { change: `${message}${what}`, trials: missing * rules.trials };
    }
    case 'UNPINNED_MODEL': {
      const floating = candidate.modelPins.filter(({ isFloating }) => isFloating).map(({ model }) => model);
      return { change: `Ask for models by names with a date or a digest, not ${named(floating)}.`, trials: null };
    }
    case 'CANARY_REQUIRED':
      return { change: `${message} State one under [[release.canary]].`, trials: 0 };
    default:
      return { change: message, trials: null };
  }
}
