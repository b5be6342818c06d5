import { answeredRecord } from '../../judges/answered-record.ts';
import { measured } from '../../judges/calibrate-labels.ts';
import { measureProbes } from '../../judges/measure-probes.ts';
import type { ProbeRow } from '../../judges/read-probes.ts';
import type { PairVerdict } from '../../judges/read-pair-verdict.ts';
import { type Dice, diceOf } from '../../judges/tunnel/dice.ts';
import { drawPair, type FakePair, PAIR_FAULTS, type PairFaults } from '../../judges/tunnel/fake-judge.ts';
import type { FakeJudge } from '../../judges/tunnel/fake-judges.ts';
import { judgePairs } from '../../judges/tunnel/judge-pairs.ts';
import { foldTry } from '../../judges/tunnel/judge-tunnel.ts';
import { ownTask, pairInWords } from '../../judges/tunnel/own-answers.ts';
import type { JudgeRuling, PairedOutcome } from '../../types/judges/judge.ts';
import { type AskedItem, askItems } from './ask-items.ts';
import { modelsOf, repeatsOf, type TunnelAsked, type TunnelAsking } from './tunnel-asking.ts';

/** What a judge that compares is shown: equal answers, of which one may be longer, or in another style. */
const KINDS = [
  {
    word: 'reordered',
    summary: 'is shown an answer, and the same with its sentences the other way round',
    faults: PAIR_FAULTS,
  },
  {
    word: 'longer',
    summary: 'is shown an answer, and the same with words that say nothing',
    faults: { ...PAIR_FAULTS, longer: 1 },
  },
  {
    word: 'styled',
    summary: 'is shown an answer, and the same as a list with words in bold',
    faults: { ...PAIR_FAULTS, styled: 1 },
  },
] as const;

interface Shown {
  readonly word: (typeof KINDS)[number]['word'];
  readonly faults: PairFaults;
}

interface OwnPair {
  readonly pair: FakePair;
  readonly item: AskedItem;
}

/** Asks a judge that compares about equal pairs, and about useful answers against useless ones. */
export async function askOwnPairs({ setting, plan, protocols, ask }: TunnelAsking): Promise<TunnelAsked> {
  const { seed, pairs } = plan;
  const repeats = Math.max(...protocols.map((protocol) => repeatsOf(protocol, setting)));
  const drawn = KINDS.map(({ word, faults }) => {
    const dice = diceOf(seed, `own/${word}`);
    return Array.from({ length: pairs }, () => ownPair({ word, faults }, dice, repeats));
  });
  const dice = diceOf(seed, 'own/useless');
  const useless = Array.from({ length: pairs }, (): AskedItem => {
    const { prompt, useful, useless: over } = ownTask(dice);
    return { record: answeredRecord({ prompt, answer: useful }), over, repeats };
  });
  const items = [...drawn.flat().map(({ item }) => item), ...useless];
  const { rulings, asked: took } = await askItems(setting.name, items, { ...ask, judges: [setting] });
  const rulingsOf = (kind: number): readonly (JudgeRuling | null)[] => rulings.slice(kind * pairs, (kind + 1) * pairs);
  const shown = KINDS.map(
    ({ word, summary, faults }): FakeJudge => ({ judges: 'pairs', name: `${setting.name}: ${word}`, summary, faults }),
  );
  const folded = shown.flatMap((judge, kind) =>
    protocols
      .filter(({ length }) => !length || KINDS[kind]?.word === 'longer')
      .map((protocol) => {
        const own = { ...protocol, ensemble: modelsOf(setting).length, repeats: repeatsOf(protocol, setting) };
        const evaluation = judgePairs(PAIR_FAULTS, own, {
          pairs,
          dice: diceOf(seed, 'own'),
          shown: (drawn[kind] ?? []).map(({ pair }) => pair),
          answer: ({ at, member, repeat, isFirst }) =>
            verdictIn(rulingsOf(kind)[at] ?? null, { model: modelsOf(setting)[member] ?? '', repeat, isFirst }),
        });
        return { ...foldTry({ judge, protocol: own }, { trials: 1 }, () => evaluation), name: protocol.name };
      }),
  );
  const preferred = rulingsOf(KINDS.length).filter((ruling) => ruling !== null);
  const agreed = preferred.filter(({ met }) => met === true).length;
  return {
    shown,
    protocols: folded,
    asked: {
      judge: setting.name,
      models: modelsOf(setting),
      repeats,
      useful: measured({ items: preferred.length, agreed }),
      useless: null,
      probes: measureProbes(
        drawn.flatMap((own, kind) => probesOf(own, rulingsOf(kind), KINDS[kind]?.word ?? 'reordered')),
      ),
      took,
    },
  };
}

function ownPair({ word, faults }: Shown, dice: Dice, repeats: number): OwnPair {
  const hasLengths = faults.longer !== 0;
  const { better, longer } = drawPair(faults, { dice, hasLengths });
  // So many sentences, and never the same answer twice.
  const pair = { better, longer: hasLengths ? Math.round(longer) || 1 : 0 };
  const task = ownTask(dice);
  // Whoever likes one order of sentences better must not look as if it liked the candidate.
  const dress = word === 'reordered' && dice.coin(0.5) ? 'first' : word;
  const { candidate, other } = pairInWords(task, pair, dress);
  return { pair, item: { record: answeredRecord({ prompt: task.prompt, answer: candidate }), over: other, repeats } };
}

/** What one answer says, by the place of the candidate; null: it could not be read, or nobody was asked. */
function verdictIn(
  ruling: JudgeRuling | null,
  { model, repeat, isFirst }: { readonly model: string; readonly repeat: number; readonly isFirst: boolean },
): PairVerdict | null {
  const orders = ruling?.answers.find((one) => one.model === model && one.repeat === repeat)?.orders;
  if (orders === undefined) return null;
  const outcome = isFirst ? orders.first : orders.second;
  if (outcome === 'tie') return 'tie';
  return (outcome === 'win') === isFirst ? 'A' : 'B';
}

function probesOf(
  own: readonly OwnPair[],
  rulings: readonly (JudgeRuling | null)[],
  word: (typeof KINDS)[number]['word'],
): readonly ProbeRow[] {
  return own.flatMap(({ pair: { longer } }, at) => {
    const orders = (rulings[at]?.answers ?? []).flatMap((answer) =>
      answer.orders === undefined ? [] : [answer.orders],
    );
    const placed = orders.map(({ first, second }): ProbeRow => ({ probe: 'position', verdicts: [first, second] }));
    if (word === 'reordered') return placed;
    const [probe, isOther] = word === 'styled' ? (['style', false] as const) : (['length', longer < 0] as const);
    // From the side of the longer, or styled, answer.
    const seen = (outcome: PairedOutcome): PairedOutcome => (isOther ? TURNED[outcome] : outcome);
    return [
      ...placed,
      ...orders.map(({ first, second }): ProbeRow => ({ probe, verdicts: [seen(first), seen(second)] })),
    ];
  });
}

const TURNED = { win: 'loss', loss: 'win', tie: 'tie' } as const;
