import { measured } from '../../judges/calibrate-labels.ts';
import { measureProbes } from '../../judges/measure-probes.ts';
import type { LabelRow } from '../../judges/read-labels.ts';
import { diceOf } from '../../judges/tunnel/dice.ts';
import { ITEM_FAULTS } from '../../judges/tunnel/fake-judge.ts';
import type { FakeJudge } from '../../judges/tunnel/fake-judges.ts';
import { judgeItems } from '../../judges/tunnel/judge-items.ts';
import { foldTry } from '../../judges/tunnel/judge-tunnel.ts';
import { ownTask } from '../../judges/tunnel/own-answers.ts';
import { PasskError } from '../../errors.ts';
import { askLabels } from './ask-labels.ts';
import { modelsOf, repeatsOf, type TunnelAsked, type TunnelAsking } from './tunnel-asking.ts';

/** A judge that passes or fails answers, or verifies their claims: half of them are useful, and so are half of the labels. */
export async function askOwnAnswers({ setting, plan, protocols, ask }: TunnelAsking): Promise<TunnelAsked> {
  const { seed, pairs } = plan;
  const repeats = Math.max(...protocols.map((protocol) => repeatsOf(protocol, setting)));
  if (protocols.some((protocol) => repeatsOf(protocol, setting) !== repeats)) {
    throw new PasskError('USAGE', 'A judge of single answers is asked as often under each protocol.', {
      hint: 'Give all of them the same `repeats`.',
    });
  }
  const labels = Math.ceil(pairs / 2);
  const dice = diceOf(seed, 'own/items');
  const rows = Array.from({ length: pairs + 2 * labels }, (_, at): LabelRow => {
    const { prompt, useful, useless, contexts } = ownTask(dice);
    const isGood = at % 2 === 0;
    const item = { prompt, response: isGood ? useful : useless, contexts };
    return { id: `own ${at}`, criterion: '', human: isGood, judge: null, item, place: NOWHERE };
  });
  const { rows: said, probes, asked: took } = await askLabels(rows, { ...setting, repeats }, ask);
  const judge: FakeJudge = {
    judges: 'items',
    name: setting.name,
    summary: 'is shown answers of which every other is useful',
    faults: { ...ITEM_FAULTS, labels },
  };
  const folded = protocols.map((protocol) => {
    const labelled = { good: pairs, bad: pairs };
    let next = 0;
    const evaluation = judgeItems(
      judge.faults,
      { ...protocol, repeats: 1 },
      {
        items: pairs,
        dice: diceOf(seed, 'own'),
        takesTurns: true,
        answer: ({ isGood }) => {
          if (next < pairs) return said[next++]?.judge ?? null;
          const key = isGood ? 'good' : 'bad';
          const at = said.findIndex(({ human }, place) => place >= labelled[key] && human === isGood);
          labelled[key] = at + 1;
          return said[at]?.judge ?? null;
        },
      },
    );
    const asks = { ...protocol, ensemble: modelsOf(setting).length, repeats };
    return { ...foldTry({ judge, protocol: asks }, { trials: 1 }, () => evaluation), name: protocol.name };
  });
  const shareOf = (human: boolean) => {
    const ruled = said.filter((row) => row.human === human && row.judge !== null);
    return measured({ items: ruled.length, agreed: ruled.filter((row) => row.judge === human).length });
  };
  return {
    shown: [judge],
    protocols: folded,
    asked: {
      judge: setting.name,
      models: modelsOf(setting),
      repeats,
      useful: shareOf(true),
      useless: shareOf(false),
      probes: measureProbes(probes),
      took,
    },
  };
}

/** Answers of passk's own stand in no file. */
const NOWHERE = { source: { path: '<memory>', name: '<memory>', text: '' }, offset: 0 };
