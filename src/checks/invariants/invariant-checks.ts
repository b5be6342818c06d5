import type { Chaos } from '../../types/chaos.ts';
import type { Expected } from '../../types/scenarios/expected.ts';
import type { Invariant } from '../../types/invariant.ts';
import type { TrialView } from '../check.ts';
import type { CheckParts } from '../make-check.ts';
import { RULING } from '../ruling.ts';
import { showText } from '../show-value.ts';
import { takesBaseline } from './builtin.ts';
import { compileRule } from './compile-rule.ts';
import type { JudgedAnswer, Rule } from './rule.ts';
import type { RuleTools } from './invariant-type.ts';
import { OutcomeAnswer } from './outcome-answer.ts';
import { turnAnswers } from './turn-answers.ts';
import { kindsSpokenOf } from './when-kinds.ts';

type Invariants = NonNullable<Expected['invariants']>;

/**
 * `invariants`: one check for each, named by its id. It holds when no answer of the trial disobeys; what it shows is the
 * first that does. `negate` turns a rule around, whichever it is. A subject that gave no answer disobeys every rule but
 * those on how a run ends. A rule about faults is judged on answers that such a fault struck; what cannot be told, such as
 * tokens that nobody counted, is neither obeyed nor disobeyed: see `RULING`.
 */
export function invariantChecks(
  invariants: Invariants,
  { canRespond, chaos, answersInTurns, asksOutside, ...tools }: InvariantTools,
): readonly CheckParts[] {
  const { list } = invariants;
  const answersIn = answersOf();
  const rules = answersInTurns === true || hasRulings(invariants, { chaos, asksOutside });
  return list.map((invariant) => {
    const rule = compileRule(invariant, tools);
    const check = invariantCheck(invariant, rule, answersIn);
    if (rules) return check;
    const { ruling, ...plain } = { ...check, holds: (view: TrialView) => (check.ruling(view) & NOT_OBEYED) === 0 };
    // A reply may be shaped anywhere on the way.
    return rule.onEnding && canRespond === false ? { ...plain, onEnding: true } : plain;
  });
}

export interface InvariantTools extends Omit<RuleTools, 'owner'> {
  /** False: no node of the workflow shapes a reply, so that the final value is the answer. Absent: one may. */
  readonly canRespond?: boolean;
  /** What goes wrong around the subject; absent: nothing. */
  readonly chaos?: Chaos | undefined;
  /** True: the subject is no workflow, so that some of its answers may never have been asked for; absent: it is one. */
  readonly answersInTurns?: true;
  /** True: its models may be real ones or functions, which need not tell their tokens; absent: all that answers is planned. */
  readonly asksOutside?: boolean | undefined;
}

const NOT_OBEYED = RULING.disobeyed | RULING.undecided | RULING.unasked;

/** Whether more is to be counted of these invariants of a workflow than whether they held. */
export function hasRulings(
  { list }: Invariants,
  { chaos, asksOutside = false }: Pick<InvariantTools, 'chaos' | 'asksOutside'>,
): boolean {
  const isOpen = (rule: Invariant['rule']): boolean =>
    takesBaseline(rule) || (asksOutside && (rule.type === 'max_tokens' || rule.type === 'max_cost'));
  return chaos !== undefined || list.some(({ rule }) => isOpen(rule));
}

/** The answers of a trial; the one answer of a workflow is always the same object. */
function answersOf(): (view: TrialView) => readonly JudgedAnswer[] {
  const answer = new OutcomeAnswer();
  const list = [answer];
  return (view) => {
    const turns = view.turns();
    if (turns !== null) return turnAnswers(view, turns);
    answer.of(view);
    return list;
  };
}

function invariantCheck(
  { id, negate, when }: Invariant,
  rule: Rule,
  answersIn: (view: TrialView) => readonly JudgedAnswer[],
): CheckParts & Required<Pick<CheckParts, 'ruling'>> {
  const kinds = kindsSpokenOf(when);
  const isMissing = (answer: JudgedAnswer): boolean => rule.needsAnswer && answer.text === null;
  const rulingOn = (answer: JudgedAnswer): number => {
    if (!answer.isAsked || (kinds !== 0 && (answer.struck & kinds) === 0)) return 0;
    const holds = isMissing(answer) ? negate : rule.holds(answer);
    if (holds === null) return RULING.undecided;
    const struck = answer.struck === 0 ? 0 : RULING.struck;
    if (holds !== negate) return RULING.judged | struck;
    return RULING.judged | RULING.disobeyed | struck | (struck === 0 ? 0 : RULING.disobeyedStruck);
  };
  const ruling = (view: TrialView): number => {
    const all = answersIn(view);
    let bits = 0;
    let isAsked = false;
    for (let at = 0; at < all.length; at++) {
      const answer = all[at] as JudgedAnswer;
      bits |= rulingOn(answer);
      isAsked ||= answer.isAsked;
    }
    if (!isAsked) return RULING.unasked;
    // One answer that disobeys is enough; one that nobody can tell of leaves the others open.
    if ((bits & RULING.disobeyed) !== 0) return bits & ~RULING.undecided;
    return (bits & RULING.undecided) !== 0 ? RULING.undecided : bits;
  };
  const shown = (view: TrialView): JudgedAnswer => {
    const all = answersIn(view);
    // There is always one.
    return all.find((answer) => (rulingOn(answer) & RULING.disobeyed) !== 0) ?? (all[0] as JudgedAnswer);
  };
  return {
    name: id,
    ...(rule.needs === undefined ? {} : { needs: rule.needs }),
    at: (view) => shown(view).prompt,
    expected: negate ? { not: rule.expected } : rule.expected,
    wanted: negate ? rule.wantedNot : rule.wanted,
    ruling,
    holds: (view) => (ruling(view) & RULING.disobeyed) === 0,
    got: (view) => {
      const answer = shown(view);
      return isMissing(answer) ? null : rule.got(answer);
    },
    saw: (view) => {
      const answer = shown(view);
      const seen = isMissing(answer) ? `no answer: ${answer.problem ?? 'nothing was said'}` : rule.saw(answer);
      return answer.prompt === null ? seen : `${seen} (prompt ${showText(answer.prompt)})`;
    },
    says: (view) => {
      const answer = shown(view);
      return negate || isMissing(answer) ? null : (rule.says?.(answer) ?? null);
    },
  };
}
