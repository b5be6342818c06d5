import { firstNames } from '../../text/first-names.ts';
import { formatCount, plural } from '../../text/format-number.ts';
import type { TrivialSubject } from '../../types/audit/set-audit.ts';
import type { AxisReason } from '../../types/release/eval-body.ts';
import type { AuditFacts } from '../../types/release/audit-facts.ts';
import type { TierRules } from '../../types/release/release-rules.ts';
import { percent } from '../release-texts.ts';
import { insufficient } from './axis-result.ts';

/** What trivial subjects do, in words. */
const SUBJECTS: Readonly<Record<TrivialSubject, string>> = {
  null: 'says nothing',
  echo: 'says what it is asked',
  refusal: 'refuses',
  everything: 'says every known text',
};

const MOST_NAMES = 5;

/** Why scenarios that are passed by doing nothing, or failed by answers that are right, show nothing of a candidate. */
export function auditReasons(
  { trivial, gold, trivially, goldFails }: AuditFacts,
  { maxTrivial: most }: Pick<TierRules, 'maxTrivial'>,
): readonly AxisReason[] {
  if (most === null) return [];
  const tooMany = trivial.filter(({ tasks, passed }) => tasks > 0 && passed / tasks > most);
  return [
    ...tooMany.map(({ subject, tasks, passed }) =>
      insufficient(
        'TRIVIAL',
        `Whoever ${SUBJECTS[subject]} passes ${formatCount(passed)} of ${plural(tasks, 'scenario')}; at most ${percent(most)} may be passed so (${firstNames(trivially, MOST_NAMES)}).`,
      ),
    ),
    ...(gold.passed < gold.tasks
      ? [
          insufficient(
            'GOLD_FAILS',
            `Answers that are held to be right fail ${formatCount(gold.tasks - gold.passed)} of ${plural(gold.tasks, 'scenario')} (${firstNames(goldFails, MOST_NAMES)}).`,
          ),
        ]
      : []),
  ];
}

/** What the audit found, in one sentence. */
export function auditEvidence({ trivial, gold, duplicates }: AuditFacts): string {
  const subjects = trivial.filter(({ tasks }) => tasks > 0);
  const most = Math.max(0, ...subjects.map(({ passed }) => passed));
  const [first] = subjects;
  const parts = [
    first === undefined
      ? 'no subject that can do nothing could be tried'
      : `subjects that can do nothing pass at most ${formatCount(most)} of ${plural(first.tasks, 'scenario')}`,
    gold.tasks === 0
      ? 'no gold answers'
      : `gold answers pass ${formatCount(gold.passed)} of ${formatCount(gold.tasks)}`,
    ...(duplicates === 0 ? [] : [`${plural(duplicates, 'group')} of duplicates`]),
  ];
  return `audit before the run: ${parts.join(', ')}`;
}
