import type { PluginReport } from '../../types/reports/report.ts';
import { CELL_MARKS, VERDICT_MARKS } from '../words/contract-marks.ts';
import { formatCount } from '../../text/format-number.ts';
import {
  caseFacts,
  caseMark,
  caseShare,
  caseState,
  pluginHeadline,
  pluginName,
  pluginSentence,
} from '../words/plugin-texts.ts';
import type { MatrixCell, Section } from './section.ts';

/** The result of a plug-in for a file: a row for each case, and the evidence of red ones. */
export function pluginSection(result: PluginReport): Section {
  const { type, name, verdict, reasons, description, file, cases } = result;
  const red = cases.filter((one) => caseState(one) !== 'passed');
  return {
    kind: type,
    name: pluginName(name),
    mark: VERDICT_MARKS[verdict],
    parts: pluginHeadline(result),
    isFine: verdict === 'passed',
    description: pluginSentence(description ?? ''),
    file: pluginSentence(file),
    blocks: [
      { type: 'notes', tone: 'reason', sentences: reasons.map(pluginSentence) },
      {
        type: 'matrix',
        corner: 'case',
        joint: 'in',
        columns: [{ name: 'trials', remark: '', facts: [] }],
        rows: cases.map((one) => ({ name: pluginName(one.name), remark: '', facts: [] })),
        cells: cases.map((one): MatrixCell => {
          const mark = caseMark(one);
          const share = `${formatCount(one.trials.passed)}/${formatCount(one.trials.requested)}`;
          return { mark, text: share, share, spoken: `${mark.name}, ${caseShare(one)}`, facts: () => caseFacts(one) };
        }),
        marks: Object.values(CELL_MARKS),
        legend: 'Numbers are trials that passed.',
      },
      {
        type: 'evidence',
        noun: 'case',
        items: red.map((one) => ({
          mark: caseMark(one),
          names: [pluginName(one.name)],
          joint: '',
          remark: '',
          cell: cases.indexOf(one),
          facts: () => caseFacts(one),
        })),
      },
    ],
  };
}
