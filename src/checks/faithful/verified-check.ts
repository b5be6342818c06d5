import { PasskError } from '../../errors.ts';
import type { FaithfulExpectation } from '../../types/faithfulness/faithful-expectation.ts';
import type { JudgeRuling, VerifiedClaims } from '../../types/judges/judge.ts';
import type { Json } from '../../types/json.ts';
import type { TrialView } from '../check.ts';
import { rulingOn, withReason } from '../judge-check.ts';
import type { CheckParts } from '../make-check.ts';
import type { FaithfulWords } from './faithful-check.ts';

/** Claims that one finding names. */
const SHOWN = 3;

/** `faithful` by a judge: contexts support enough of the claims. Too few claims, or none of the contexts, are no matter of the judge. */
export function verifiedCheck(judge: string, expectation: FaithfulExpectation): CheckParts {
  return { name: `faithful ${judge}`, ...verifiedWords(judge, expectation) };
}

/** The same without a name. */
export function verifiedWords(judge: string, { minClaims, minScore = 1 }: FaithfulExpectation): FaithfulWords {
  const rulingOf = (view: TrialView): JudgeRuling => rulingOn(view, judge);
  const claimsOf = (view: TrialView): VerifiedClaims => {
    const { claims } = rulingOf(view);
    if (claims !== undefined) return claims;
    throw new PasskError('INTERNAL', `Judge "${judge}" has verified no claims of this trial.`);
  };
  const unsupported = (view: TrialView): readonly string[] => {
    const { criteria } = rulingOf(view);
    return claimsOf(view).texts.filter((_, at) => criteria[at]?.met === false);
  };
  return {
    expected: minScore,
    wanted: minScore === 1 ? 'contexts that support every claim' : `contexts that support ${minScore} of all claims`,
    holds: (view) => {
      const { texts, contexts } = claimsOf(view);
      const isVerified = texts.length === 0 || contexts > 0;
      return texts.length >= minClaims && isVerified && rulingOf(view).met === true;
    },
    got: (view): Json => unsupported(view).slice(),
    saw: (view) => {
      const { texts, contexts } = claimsOf(view);
      if (texts.length < minClaims) return `${texts.length} of the ${minClaims} claims that there must be`;
      if (contexts === 0) return 'no context';
      const missed = unsupported(view);
      const named = missed.slice(0, SHOWN).map((text) => shownClaim(rulingOf(view), text));
      const more = missed.length > SHOWN ? ['and more'] : [];
      return [`${texts.length - missed.length} of ${texts.length} supported`, ...named, ...more].join('; ');
    },
  };
}

function shownClaim(ruling: JudgeRuling, text: string): string {
  return withReason(ruling, `claim-${(ruling.claims?.texts.indexOf(text) ?? -1) + 1}`, text);
}
