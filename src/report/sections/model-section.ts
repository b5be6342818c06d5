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
import type { Fact, Matrix, MatrixCell, Section } from './section.ts';

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
    legend: cells.some((cell) => cellShare(cell) !== '') ? 'trials that passed' : '',
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
        items: red.map((cell) => ({
          mark: MODEL_MARKS[cell.state],
          names: [modelName(cell.test), modelName(cell.model)],
          joint: 'of',
          remark: '',
          cell: placed.indexOf(cell),
          facts: () => modelFacts(cell),
        })),
      },
    ],
  };
}

function keyOf(model: string, test: string): string {
  return JSON.stringify([model, test]);
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
