import { PasskError } from '../../errors.ts';
import { claimScore } from '../../faithfulness/scores.ts';
import { answeredRecord } from '../../judges/answered-record.ts';
import { ATTACKS } from '../../judges/probes/attacks.ts';
import { paddedText } from '../../judges/probes/padded-text.ts';
import { confidenceOf } from '../../judges/reliability-bins.ts';
import { styledText } from '../../judges/probes/styled-text.ts';
import type { LabelledItem, LabelRow } from '../../judges/read-labels.ts';
import type { ProbeRow } from '../../judges/read-probes.ts';
import type { RunSuiteOptions } from '../../settings/options.ts';
import type { JudgeAsking } from '../../types/judges/judge-calibration.ts';
import type { JudgeRuling, JudgeSetting } from '../../types/judges/judge.ts';
import { type AskedItem, askItems } from './ask-items.ts';

/** What a judge is asked with: the budget, answers kept, cassette and grants of a run. */
export type AskOptions = Pick<
  RunSuiteOptions,
  'models' | 'permissions' | 'maxCost' | 'maxTokens' | 'cache' | 'record' | 'replay' | 'signal' | 'cwd'
>;

export interface AskedLabels {
  /** With what the judge says in place of what they held. */
  readonly rows: readonly LabelRow[];
  readonly probes: readonly ProbeRow[];
  readonly asked: JudgeAsking;
}

/** Labelled answers of which variants are made: as many tell a rate of a few percent. */
const MOST_PROBED = 100;
/** Fewer answers to one question show too little of noise. */
const LEAST_REPEATS = 3;

/**
 * Asks a judge about labelled answers, and about variants of them that passk makes without a model: padded, restyled, asked
 * again, and with words that talk to the judge. Throws `USAGE` for rows that hold no answer.
 */
export async function askLabels(
  rows: readonly LabelRow[],
  judge: JudgeSetting,
  options: AskOptions,
): Promise<AskedLabels> {
  const labelled = rows.filter(({ item }) => item !== undefined);
  if (labelled.length === 0) {
    throw new PasskError('USAGE', 'No row holds an answer that the judge could be asked about.', {
      hint: 'Give each a `response`, and best a `prompt`: {"human":"pass","prompt":"…","response":"…"}.',
    });
  }
  const compares = judge.compares === true;
  refuseUnfit(labelled, judge);
  const plain = labelled.flatMap(({ item }): readonly AskedItem[] => (item === undefined ? [] : [asItem(item, judge)]));
  const probed = sampleOf(labelled);
  const variants = compares
    ? probed.flatMap((row) => pairVariants(row, judge))
    : [
        ...probed.flatMap((row) => variantsOf(row, judge)),
        ...sampleOf(labelled.filter(({ human }) => human === false)).flatMap((row, at) => attacked(row, at, judge)),
      ];
  const { rulings, asked } = await askItems(judge.name, [...plain, ...variants.map(({ item }) => item)], {
    ...options,
    judges: [judge],
  });
  const byRow = new Map(labelled.map((row, at) => [row, rulings[at] ?? null]));
  const said = variants.map((variant, at) => ({ ...variant, ruling: rulings[plain.length + at] ?? null }));
  const probes = said.flatMap((one) => rowsOf(one, byRow.get(one.row) ?? null));
  if (!compares) probes.push(...[...byRow.values()].flatMap(noiseRows));
  else probes.push(...[...byRow.values(), ...said.map(({ ruling }) => ruling)].flatMap(positionRows));
  return {
    rows: rows.map((row) => (row.item === undefined ? row : saidOf(row, byRow.get(row) ?? null))),
    probes,
    asked,
  };
}

interface Variant {
  readonly row: LabelRow;
  readonly probe: 'length' | 'style' | 'noise' | 'attacks';
  readonly item: AskedItem;
}

/** Throws `USAGE` for rows without what the judge needs. */
function refuseUnfit(rows: readonly LabelRow[], { name, compares, verifies }: JudgeSetting): void {
  if (compares === true && rows.some(({ item }) => item?.over === undefined)) {
    throw new PasskError('USAGE', `Judge "${name}" compares answers, and a row has nothing to compare with.`, {
      hint: 'Give each row the other answer as `over`.',
    });
  }
  if (verifies === true && rows.some(({ item }) => item?.contexts === undefined)) {
    throw new PasskError('USAGE', `Judge "${name}" verifies claims, and a row has nothing that could support them.`, {
      hint: 'Give each row the text as `context`, or a list of texts in JSON Lines.',
    });
  }
}

/** A row as the judge is asked about it. */
function asItem({ prompt, response, over, contexts }: LabelledItem, { compares, verifies }: JudgeSetting): AskedItem {
  const record = answeredRecord({
    prompt,
    answer: response,
    ...(verifies === true && contexts !== undefined && { contexts }),
  });
  return { record, ...(compares === true && over !== undefined && { over }) };
}

/** As many as are probed, from all over the rows. */
function sampleOf(rows: readonly LabelRow[]): readonly LabelRow[] {
  if (rows.length <= MOST_PROBED) return rows;
  return rows.filter(
    (_, at) => Math.floor((at * MOST_PROBED) / rows.length) !== Math.floor(((at - 1) * MOST_PROBED) / rows.length),
  );
}

function variantsOf(row: LabelRow, judge: JudgeSetting): readonly Variant[] {
  const { item } = row;
  if (item === undefined) return [];
  const { repeats = 1, verifies = false } = judge;
  const said = (response: string): AskedItem => asItem({ ...item, response }, judge);
  const again = { ...said(item.response), repeats: LEAST_REPEATS };
  // Words that say nothing are claims that nothing supports: who verifies is shown the same claims twice.
  const longer = verifies ? `${item.response}\n\n${item.response}` : paddedText(item.response);
  return [
    { row, probe: 'length', item: said(longer) },
    { row, probe: 'style', item: said(styledText(item.response)) },
    ...(repeats >= LEAST_REPEATS ? [] : [{ row, probe: 'noise', item: again } as const]),
  ];
}

/** A bad answer with one of the attacks behind it. */
function attacked(row: LabelRow, at: number, judge: JudgeSetting): readonly Variant[] {
  const { item } = row;
  if (item === undefined) return [];
  const response = `${item.response}\n${ATTACKS[at % ATTACKS.length] ?? ''}`;
  return [{ row, probe: 'attacks', item: asItem({ ...item, response }, judge) }];
}

/** Pairs that differ in nothing but length, or style. */
function pairVariants(row: LabelRow, judge: JudgeSetting): readonly Variant[] {
  const { item } = row;
  if (item === undefined) return [];
  const { prompt, response } = item;
  return [
    { row, probe: 'length', item: asItem({ prompt, response: paddedText(response), over: response }, judge) },
    { row, probe: 'style', item: asItem({ prompt, response: styledText(response), over: response }, judge) },
  ];
}

/** What the judge says of the row: of its criterion, where it names one. */
function verdictOn({ criterion }: Pick<LabelRow, 'criterion'>, ruling: JudgeRuling | null): boolean | null {
  if (ruling === null || criterion === '') return ruling?.met ?? null;
  return ruling.criteria.find((one) => one.criterion === criterion)?.met ?? null;
}

/** The row with what the judge says, and how sure it is. A criterion of several has no such share of its own. */
function saidOf(row: LabelRow, ruling: JudgeRuling | null): LabelRow {
  const { confidence: _, ...before } = row;
  const confidence = ruling === null || row.criterion !== '' ? undefined : confidenceOf(ruling);
  return { ...before, judge: verdictOn(row, ruling), ...(confidence !== undefined && { confidence }) };
}

function rowsOf(
  { row, probe, ruling }: Variant & { readonly ruling: JudgeRuling | null },
  plain: JudgeRuling | null,
): readonly ProbeRow[] {
  if (ruling === null) return [];
  if (probe === 'noise') return noiseRows(ruling);
  const pairs = ordersOf(ruling);
  if (pairs.length > 0) return pairs.map(({ first, second }) => ({ probe, verdicts: [first, second] }));
  const [before, after] = [verdictOn(row, plain), verdictOn(row, ruling)];
  return before === null || after === null ? [] : [{ probe, verdicts: [before, after] }];
}

/** What each model answered to the same question. */
function noiseRows(ruling: JudgeRuling | null): readonly ProbeRow[] {
  const byModel = new Map<string, boolean[]>();
  const claims = ruling?.claims;
  for (const { model, problem, verdicts } of ruling?.answers ?? []) {
    if (problem !== null) continue;
    const met = claims === undefined ? verdicts.every((one) => one.met) : meetsShare(verdicts, claims.minScore);
    byModel.set(model, [...(byModel.get(model) ?? []), met]);
  }
  return [...byModel.values()].flatMap((verdicts) => (verdicts.length < 2 ? [] : [{ probe: 'noise', verdicts }]));
}

/** Whether one answer finds enough claims supported. */
function meetsShare(verdicts: readonly { readonly met: boolean }[], minScore: number): boolean {
  return (claimScore(verdicts.map(({ met }) => met)) ?? 1) >= minScore;
}

function positionRows(ruling: JudgeRuling | null): readonly ProbeRow[] {
  return ordersOf(ruling).map(({ first, second }) => ({ probe: 'position', verdicts: [first, second] }));
}

function ordersOf(ruling: JudgeRuling | null) {
  return (ruling?.answers ?? []).flatMap(({ orders }) => (orders === undefined ? [] : [orders]));
}
