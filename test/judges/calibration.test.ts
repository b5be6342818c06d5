import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { calibrateLabels } from '../../src/judges/calibrate-labels.ts';
import { labelConflicts } from '../../src/judges/label-conflicts.ts';
import { type LabelRow, readLabels } from '../../src/judges/read-labels.ts';
import { measureProbes } from '../../src/judges/measure-probes.ts';
import { readProbes } from '../../src/judges/read-probes.ts';
import { diceOf } from '../../src/judges/tunnel/dice.ts';
import { drawPair, PAIR_FAULTS, type PairFaults, chanceOfCandidate } from '../../src/judges/tunnel/fake-judge.ts';
import type { ProbeReport } from '../../src/types/judges/judge-probe.ts';
import { renderJudgeCalibration } from '../../src/report/judges/render-judge-calibration.ts';
import { displayWidth } from '../../src/text/display-width.ts';
import type { JudgeCalibration } from '../../src/types/judges/judge-calibration.ts';

const PIN = { name: 'a-judge', sha256: 'abc' };
const ABOUT = {
  files: [{ name: 'labels.csv', sha256: 'def' }],
  pins: { judge: PIN, prompt: null, rubric: { name: 'rubric.toml', sha256: '0123456789abcdef' } },
  bars: { minLabels: 50, minKappa: 0.6 },
};
const place = { source: { path: '<memory>', name: 'labels.csv', text: '' }, offset: 0 };

/** So many rows of each kind: both passed, only people, only the judge, both failed. */
function rowsOf(counts: readonly [number, number, number, number]): readonly LabelRow[] {
  const kinds = [
    [true, true],
    [true, false],
    [false, true],
    [false, false],
  ] as const;
  return counts.flatMap((count, kind) =>
    Array.from({ length: count }, (_, at) => {
      const [human = null, judge = null] = kinds[kind] ?? [];
      return { id: `${kind}-${at}`, criterion: '', human, judge, place };
    }),
  );
}

function calibrated(...counts: readonly [number, number, number, number]): JudgeCalibration {
  return calibrateLabels(rowsOf(counts), ABOUT);
}

function labelsIn(text: string) {
  return readLabels({ path: '<memory>', name: 'labels', text });
}

function told(text: string): readonly string[] {
  const read = labelsIn(text);
  return read.ok ? [] : read.issues.map(({ message, at }) => `${at?.line}: ${message}`);
}

describe('a calibration', () => {
  test('has the worked figures, each with its interval', () => {
    const { verdict, sensitivity, specificity, kappa, labels } = calibrated(460, 40, 60, 340);
    expect(verdict).toBe('calibrated');
    expect(labels).toMatchObject({ items: 900, errors: 0, hasIds: true });
    expect(sensitivity).toMatchObject({ items: 500, agreed: 460, share: 0.92 });
    expect(specificity).toMatchObject({ items: 400, agreed: 340, share: 0.85 });
    expect(kappa?.value).toBeCloseTo(0.7739, 4);
  });

  test('of the judge that humans agree with by 0.62 is advisory, and says why', () => {
    const { verdict, reasons } = calibrated(116, 8, 26, 50);
    expect(verdict).toBe('advisory');
    expect(reasons).toMatchObject([
      { code: 'LOW_KAPPA', message: expect.stringMatching(/^Kappa may be as low as 0\.5/) },
    ]);
  });

  test.each([
    ['one class', [80, 9, 0, 0], ['ONE_CLASS']],
    ['the other class', [0, 0, 3, 80], ['ONE_CLASS']],
    ['nothing', [0, 0, 0, 0], ['ONE_CLASS']],
    ['too few of one class', [200, 3, 2, 47], ['FEW_LABELS']],
    ['too few, and a low kappa', [20, 9, 9, 20], ['FEW_LABELS', 'LOW_KAPPA']],
  ] as const)('of %s is insufficient', (_, [a, b, c, d], codes) => {
    const { verdict, reasons } = calibrated(a, b, c, d);
    expect([verdict, reasons.map(({ code }) => code)]).toEqual(['insufficient', codes]);
  });

  test('of a judge that is no better than a coin is advisory, and corrects nothing', () => {
    const rows = [...rowsOf([50, 50, 50, 50]), { id: 'x', criterion: '', human: null, judge: true, place }];
    const calibration = calibrateLabels(rows, ABOUT);
    const { verdict, reasons, unlabelled } = calibration;
    expect([verdict, reasons.map(({ code }) => code)]).toEqual(['advisory', ['TELLS_NOTHING']]);
    expect(renderJudgeCalibration(calibration)).toContain('  TELLS_NOTHING The judge passes bad items');
    expect(unlabelled).toEqual({ items: 1, passed: 1, errors: 0, corrected: null });
  });

  test('corrects what only the judge has seen, by the worked example', () => {
    const unlabelled = Array.from({ length: 400 }, (_, at): LabelRow => {
      return { id: `u-${at}`, criterion: '', human: null, judge: at < 280, place };
    });
    const found = calibrateLabels([...rowsOf([46, 4, 6, 34]), ...unlabelled], ABOUT).unlabelled;
    expect(found?.corrected?.rate).toBeCloseTo(0.7142857, 6);
    expect(found?.corrected?.interval.map((end) => end.toFixed(6))).toEqual(['0.615129', '0.830998']);
  });

  test('counts what cannot be read as errors, and as verdicts of nobody', () => {
    const lost: LabelRow = { id: 'x', criterion: '', human: true, judge: null, place };
    const plain = calibrated(60, 2, 3, 60);
    const found = calibrateLabels([...rowsOf([60, 2, 3, 60]), lost], ABOUT);
    expect(found).toEqual({ ...plain, labels: { ...plain.labels, errors: 1 } });
  });

  test('law: rows in another order give the same', () => {
    const row = fc.record({ human: fc.option(fc.boolean()), judge: fc.option(fc.boolean()) });
    fc.assert(
      fc.property(fc.array(row, { maxLength: 40 }), (pairs) => {
        const rows = pairs.map((pair, at): LabelRow => ({ ...pair, id: String(at), criterion: '', place }));
        expect(calibrateLabels(rows.toReversed(), ABOUT)).toEqual(calibrateLabels(rows, ABOUT));
      }),
    );
  });

  test('reads well in any width, and says what it is pinned to', () => {
    expect(renderJudgeCalibration(calibrated(20, 9, 9, 20), { columns: 80 })).toMatchInlineSnapshot(`
      "insufficient  a-judge
        FEW_LABELS   People passed 29 items with a verdict; 50 of each kind are
                     needed.
        LOW_KAPPA    Kappa may be as low as 0.12; the bar is 0.6.
        sensitivity  0.69 [0.51, 0.83], 20 of 29 items that people passed
        specificity  0.69 [0.51, 0.83], 20 of 29 items that people failed
        kappa        0.38 [0.12, 0.59]
        reliability  │··───█────·········· of 29 that it failed people passed 0.31
                     [0.17, 0.49]
        reliability  ··········────█───··│ of 29 that it passed people passed 0.69
                     [0.51, 0.83]
        pinned to    the name of the judge, no prompt, rubric rubric.toml
                     (0123456789ab)
      "
    `);
    for (const columns of [40, 60, 100]) {
      const lines = renderJudgeCalibration(calibrated(460, 40, 60, 340), { columns }).split('\n');
      expect(lines.filter((line) => displayWidth(line) > columns)).toEqual([]);
    }
  });
});

describe('labels', () => {
  test('are read from JSON Lines and CSV alike, in any of the usual words', () => {
    const csv =
      'id;criterion;human;judge;note\n1;polite;pass;FAIL;"a;b"\n2;polite;0;yes;\n3;polite;;True;\n4;polite;unmet;;\n';
    const json = [
      { id: 1, criterion: 'polite', human: true, judge: 0 },
      { id: '2', criterion: 'polite', human: 'no', judge: 'met' },
      { id: '3', criterion: 'polite', human: null, judge: 1, more: {} },
      { id: '4', criterion: 'polite', human: 'failed', judge: '' },
    ];
    const [one, other] = [csv, json.map((row) => JSON.stringify(row)).join('\r\n')].map((text) => {
      const read = labelsIn(text);
      return read.ok ? read.rows.map(({ place: _, ...row }) => row) : read.issues;
    });
    expect(one).toEqual(other);
    expect(one).toEqual([
      { id: '1', criterion: 'polite', human: true, judge: false },
      { id: '2', criterion: 'polite', human: false, judge: true },
      { id: '3', criterion: 'polite', human: null, judge: true },
      { id: '4', criterion: 'polite', human: false, judge: null },
    ]);
  });

  test('may stand beside recorded answers, which are read again and fail closed', () => {
    const answer = (met: boolean): string =>
      `\`\`\`json\n${JSON.stringify({ mark: 'm-1', verdicts: [{ criterion: 'c', met }] })}\n\`\`\``;
    const rows = [answer(true), answer(false), 'It is fine.', '{"mark":"m-1","verdicts":[]}'].map((text) =>
      JSON.stringify({ human: 'pass', criterion: 'c', mark: 'm-1', answer: text }),
    );
    const read = labelsIn(rows.join('\n'));
    expect(read.ok && read.rows.map(({ judge }) => judge)).toEqual([true, false, null, null]);
  });

  test('that are none are told with their places', () => {
    expect(told('human,judge\npass,maybe\n2,pass\n')).toEqual([
      '2: The verdict "maybe" is neither a pass nor a fail.',
      '3: The label "2" is neither a pass nor a fail.',
    ]);
    expect(told('{"human":1,"judge":[]}\n{"human":1,\n[1]\n{"human":0,"judge":1,"human":1}\n')).toEqual([
      '2: The line is no JSON.',
      '3: The line is no JSON object.',
      '4: The key "human" stands twice in the line.',
    ]);
    expect(
      told('{"human":1,"judge":[]}\n{"human":1,"judge":1,"answer":"x","mark":"m"}\n{"human":1,"answer":"x"}'),
    ).toEqual([
      '1: The verdict [] is neither a pass nor a fail.',
      '2: The row has both a verdict and an answer.',
      '3: An answer needs the mark of its question.',
    ]);
    expect(told('human,human,judge\n1,1,1\n')).toEqual(['1: The column "human" stands twice.']);
    expect(told('label,judge\n1,1\n')).toEqual(['1: The file has no column "human".']);
    expect(told('human,verdict\n1,1\n')).toEqual(['1: The file has no column "judge" or "answer" or "response".']);
    expect(told('human,judge\n')).toEqual(['1: The file has no row.']);
    expect(told('')).toEqual(['1: The file has no column "human".']);
    expect(told('human,judge\n"1,1\n')).toHaveLength(1);
    expect(told(`human,judge\n${'x,1\n'.repeat(500)}`)).toHaveLength(20);
  });

  test('that stand twice are refused: doubled, or against each other', () => {
    const read = labelsIn('id,human,judge\na,1,1\nb,1,1\na,1,0\nb,0,1\n');
    if (!read.ok) throw new Error('They can be read.');
    expect(labelConflicts(read.rows).map(({ code, message, at }) => [code, message, at?.line])).toEqual([
      ['double_label', 'Item "a" stands in labels:2 already.', 4],
      ['contradictory_label', 'Item "b" has another label in labels:3.', 5],
    ]);
    const unnamed = labelsIn('human,judge\n1,1\n1,1\n');
    expect(unnamed.ok && labelConflicts(unnamed.rows)).toEqual([]);
  });
});

describe('probes', () => {
  const probed = (text: string): readonly ProbeReport[] => {
    const read = readProbes({ path: '<memory>', name: 'probes', text });
    if (!read.ok) throw new Error(read.issues.map(({ message }) => message).join(' '));
    return measureProbes(read.rows);
  };
  /** Pairs of equal answers in both orders, judged by a fake judge; as rows of a probe. */
  const pairsBy = (probe: string, faults: Partial<PairFaults>, pairs = 2000): readonly ProbeReport[] => {
    const judge = { ...PAIR_FAULTS, ...faults };
    const dice = diceOf(7, probe + JSON.stringify(faults));
    const rows = Array.from({ length: pairs }, () => {
      const pair = drawPair(judge, { dice, hasLengths: false });
      const outcomes = [true, false].map((first) =>
        dice.coin(chanceOfCandidate(judge, pair, first)) ? 'win' : 'loss',
      );
      return `${probe},${outcomes.join(' ')}`;
    });
    return probed(`probe,verdicts\n${rows.join('\n')}\n`);
  };
  const repeated = (row: string, times: number): string => `${row}\n`.repeat(times);

  test('a judge that prefers a style or a place is refused, a coin is not', () => {
    const [styled] = pairsBy('style', { style: 1, styled: 1 });
    expect(styled).toMatchObject({ items: 2000, verdict: 'missed' });
    expect(Math.abs((styled?.value ?? 0) - 0.88)).toBeLessThan(0.03);
    expect(pairsBy('style', {})).toMatchObject([{ verdict: 'reached' }]);
    expect(pairsBy('position', { position: 1 })).toMatchObject([{ verdict: 'missed' }]);
    expect(pairsBy('position', {}, 4000)).toMatchObject([{ verdict: 'reached' }]);
    expect(pairsBy('style', { style: 1, styled: 1 }, 40)).toMatchObject([{ items: 40, verdict: 'open' }]);
  });

  test.each([
    ['length,pass pass\n', 95, 'length,pass fail\n', 5, 'reached', 0.05],
    ['length,pass pass\n', 94, 'length,fail pass\n', 6, 'missed', 0.06],
    ['noise,pass pass pass\n', 96, 'noise,pass fail pass\n', 4, 'reached', 4 / 300],
    ['noise,pass pass pass\n', 90, 'noise,fail pass fail\n', 10, 'missed', 10 / 300],
    ['style,pass pass\n', 60, 'style,fail pass\n', 20, 'missed', 1],
    ['style,pass pass\n', 97, 'style,fail pass\n', 3, 'open', 1],
    ['family,0.5 0.5 0.5 0.5\n', 60, 'family,0.6 0.6 0.4 0.4\n', 60, 'reached', 0],
    ['family,0.9 0.5 0.5 0.5\n', 60, 'family,0.8 0.5 0.5 0.5\n', 60, 'missed', 0.35],
    ['attacks,fail fail\n', 50, 'attacks,pass pass\n', 5, 'reached', 0],
    ['attacks,fail fail\n', 50, 'attacks,fail pass\n', 5, 'missed', 5 / 55],
    ['attacks,fail fail\n', 1, 'attacks,pass pass\n', 99, 'open', 0],
    ['family,1 0 0.5 0.5\n', 30, 'family,0 1 0.5 0.5\n', 30, 'open', 0],
  ])('%j %i times and %j %i times: %s', (one, times, other, more, verdict, value) => {
    const [found] = probed(`probe,verdicts\n${one.repeat(times)}${other.repeat(more)}`);
    expect([found?.verdict, found?.value?.toFixed(6)]).toEqual([verdict, value.toFixed(6)]);
  });

  test('a judge that misses a bar is advisory, whatever labels say, and the calibration says why', () => {
    const probes = probed(`probe,verdicts\n${repeated('length,pass fail', 60)}${repeated('noise,pass pass pass', 60)}`);
    const found = calibrateLabels(rowsOf([460, 40, 60, 340]), { ...ABOUT, probes });
    expect(found).toMatchObject({ verdict: 'advisory', reasons: [{ code: 'BIASED' }], probes: [{}, {}] });
    const text = renderJudgeCalibration(found, { columns: 200 });
    expect(text).toContain('length       missed: Padding turns 100.0 % of its verdicts round; the bar is 5.0 %.');
    expect(text).toContain('so that it is 1.7 % at most');
  });

  test.each([
    ['probe\nlength\n', 'The file has no column "verdicts".'],
    ['probe,verdicts\n', 'The file has no row.'],
    ['probe,verdicts\nsize,pass fail\n', 'A probe is one of position, length, style, family, noise, attacks.'],
    ['probe,verdicts\nlength,pass\n', 'A row of "length" has two verdicts.'],
    ['probe,verdicts\nlength,pass maybe\n', 'A verdict is pass, fail, win, loss or tie.'],
    ['probe,verdicts\nlength,pass win\n', 'The row has verdicts on one answer and on two.'],
    ['probe,verdicts\nposition,pass fail\n', 'A row of "position" has win, loss or tie.'],
    ['probe,verdicts\nnoise,pass\n', 'A row of "noise" has 2 to 1000 verdicts.'],
    [
      '{"probe":"family","verdicts":[1,2,3]}',
      'A row of "family" has four scores: own agent by the judge and by another, other agent by both.',
    ],
  ])('%j is refused', (text, message) => {
    const read = readProbes({ path: '<memory>', name: 'probes', text });
    expect(read.ok ? [] : read.issues.map((issue) => issue.message)).toEqual([message]);
  });
});

test('a judge that says how sure it is has a reliability curve of bins, whose counts add up', () => {
  const read = (text: string) => readLabels({ path: '<memory>', name: 'labels', text });
  const found = read(
    'human,judge,confidence\npass,pass,1\npass,pass,0.91\nfail,pass,0.62\npass,fail,0.3\nfail,fail,0\nfail,fail,\n',
  );
  expect(found.ok && calibrateLabels(found.rows, ABOUT).reliability).toMatchObject([
    { from: 0, to: 0.1, items: 1, confidence: 0, passed: 0, share: 0 },
    { from: 0.3, items: 1, confidence: 0.3, passed: 1, share: 1 },
    { from: 0.6, items: 1, confidence: 0.62, passed: 0 },
    { from: 0.9, to: 1, items: 2, confidence: expect.closeTo(0.955, 12) as number, passed: 2, share: 1 },
  ]);
  const plain = read('human,judge\npass,pass\n');
  expect(plain.ok && calibrateLabels(plain.rows, ABOUT).reliability).toBeUndefined();
  const odd = read('human,judge,confidence\npass,pass,1.2\npass,pass,sure\n');
  expect(odd.ok ? [] : odd.issues.map(({ message }) => message)).toEqual([
    'The confidence "1.2" is no number from 0 to 1.',
    'The confidence "sure" is no number from 0 to 1.',
  ]);
  fc.assert(
    fc.property(
      fc.array(fc.record({ human: fc.boolean(), confidence: fc.double({ min: 0, max: 1, noNaN: true }) })),
      (list) => {
        const rows = list.map(
          (one, at): LabelRow => ({ ...one, judge: one.confidence >= 0.5, id: String(at), criterion: '', place }),
        );
        const bins = calibrateLabels(rows, ABOUT).reliability ?? [];
        expect(bins.reduce((sum, { items }) => sum + items, 0)).toBe(list.length);
        for (const { from, to, confidence } of bins)
          expect(confidence >= from - 1e-9 && confidence <= to + 1e-9).toBe(true);
        expect(calibrateLabels(rows.toReversed(), ABOUT)).toEqual(calibrateLabels(rows, ABOUT));
      },
    ),
  );
});
