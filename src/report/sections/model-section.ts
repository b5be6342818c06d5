import type { ModelCell, ModelColumn, ModelReport } from '../../types/model-suite.ts';
import { VERDICT_MARKS } from '../words/contract-marks.ts';
import {
  cellShare,
  MODEL_MARKS,
  modelFacts,
  modelHeadline,
  modelNotes,
  modelName,
  modelSentence,
  NOT_ASKED,
} from '../words/model-texts.ts';
import { groupBy } from '../../values/group-by.ts';
import { plural } from '../../text/format-number.ts';
import type { Evidence, Fact, Matrix, MatrixCell, Section } from './section.ts';

/** The models of a spec file: a row for each, a column for each test, and the evidence of red cells. */
export function modelSection(result: ModelReport): Section {
  const { name, verdict, reasons, file, models, tests, cells } = result;
  const byPlace = new Map(cells.map((cell) => [keyOf(cell.model, cell.test), cell]));
  const placed = models.flatMap((model) => tests.map(({ id }) => byPlace.get(keyOf(model, id)) ?? null));
  const red = cells.filter(({ state }) => state !== 'passed' && state !== 'skipped');
  const matrix: Matrix = {
    type: 'matrix',
    corner: 'model',
    joint: 'in',
    columns: tests.map((test) => ({ name: modelName(test.id), remark: '', facts: testFacts(test) })),
    rows: models.map((model) => ({ name: modelName(model), remark: '', facts: [] })),
    cells: placed.map(matrixCell),
    marks: [...Object.values(MODEL_MARKS), NOT_ASKED],
    legend: cells.some((cell) => cellShare(cell) !== '') ? 'Numbers are trials that passed.' : '',
  };
  return {
    kind: 'model',
    name: modelName(name),
    mark: VERDICT_MARKS[verdict],
    parts: modelHeadline(result),
    isFine: verdict === 'passed' || verdict === 'skipped',
    description: '',
    file: modelName(file),
    blocks: [
      { type: 'notes', tone: 'reason', sentences: reasons.map(modelSentence) },
      ...(cells.every(({ state }) => state === 'skipped') ? [] : [matrix]),
      { type: 'notes', tone: 'warning', sentences: modelNotes(result).map(modelSentence) },
      {
        type: 'evidence',
        noun: 'test',
        items: [...groupBy(red, sameErrorKey).values()].map((group) => redEvidence(group, placed)),
      },
    ],
  };
}

function keyOf(model: string, test: string): string {
  return JSON.stringify([model, test]);
}

/**
 * Tests of one model with one error have one key, any other test has its own: an error of the model's server is that of
 * all tests. Long words with a digit are taken for ids of requests, which differ in each.
 */
function sameErrorKey({ model, test, state, message }: ModelCell): string {
  const error = message?.replaceAll(/[\w-]*\d[\w-]*/g, (word) => (word.length < SHORTEST_ID ? word : '#'));
  return state === 'error' && error !== undefined ? JSON.stringify([model, state, error]) : keyOf(model, test);
}

const SHORTEST_ID = 8;

/** Cells of one key, with the facts of the first. */
function redEvidence(group: readonly ModelCell[], placed: readonly (ModelCell | null)[]): Evidence {
  const [first] = group as readonly [ModelCell];
  const isAlone = group.length === 1;
  return {
    mark: MODEL_MARKS[first.state],
    names: [isAlone ? modelName(first.test) : plural(group.length, 'test'), modelName(first.model)],
    joint: 'of',
    remark: '',
    cell: placed.indexOf(first),
    facts: () =>
      isAlone
        ? modelFacts(first)
        : [
            { label: 'tests', text: group.map(({ test }) => modelName(test)).join(', '), tone: 'plain' },
            ...modelFacts(first).filter(({ tone }) => tone !== 'plain'),
          ],
  };
}

function testFacts({ id, name }: ModelColumn): readonly Fact[] {
  return name === id ? [] : [{ label: 'test', text: modelName(name), tone: 'plain' }];
}

function matrixCell(cell: ModelCell | null): MatrixCell {
  if (cell === null) {
    return { mark: NOT_ASKED, text: NOT_ASKED.word, share: '', spoken: 'not asked', facts: () => [] };
  }
  const mark = MODEL_MARKS[cell.state];
  const share = cellShare(cell);
  const spoken = share === '' ? mark.name : `${mark.name}, ${share} trials passed`;
  return { mark, text: share === '' ? mark.word : share, share, spoken, facts: () => modelFacts(cell) };
}
