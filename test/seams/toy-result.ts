import type { ReportedCase, ReportedSuite } from '../../src/report/cases/reported-case.ts';
import type { ResultKind } from '../../src/report/result-kinds.ts';
import type { Evidence, Mark, Section } from '../../src/report/sections/section.ts';

/** A kind of result that no reporter knows: models that were asked, and what each can do. */
export interface ToyResult {
  readonly name: string;
  readonly file: string;
  /** By capability. */
  readonly can: Readonly<Record<string, boolean>>;
}

const YES: Mark = { sign: '✓', word: 'yes', name: 'able', role: 'good' };
const NO: Mark = { sign: '✗', word: 'NO', name: 'unable', role: 'bad' };

/** The kind, of these results. */
export function toyKind(results: readonly ToyResult[]): ResultKind<ToyResult> {
  return {
    type: 'model',
    plural: 'models',
    resultsOf: () => results,
    casesOf,
    sections: { outcomeOf: (result) => (isFine(result) ? 'passed' : 'failed'), sectionOf },
  };
}

function isFine({ can }: ToyResult): boolean {
  return Object.values(can).every((able) => able);
}

function casesOf(result: ToyResult): ReportedSuite {
  const { name, file, can } = result;
  return {
    kind: 'model',
    name: `model ${name}`,
    subject: name,
    headline: isFine(result) ? 'passed' : 'failed',
    notes: [],
    properties: [['file', file]],
    cases: Object.entries(can).map(([capability, able]): ReportedCase => {
      const message = able ? '' : `It cannot ${capability}.`;
      return {
        name: capability,
        fullName: `${name}: ${capability}`,
        title: `${name}: ${capability}`,
        outcome: able ? 'passed' : 'failed',
        counts: true,
        weight: 0,
        group: 'capability',
        summary: message,
        message,
        details: able ? [] : ['asked once'],
        remarks: [],
        place: { file, line: 2, column: 1 },
        problems: [],
        seconds: null,
        properties: [],
        diagnostics: able ? {} : { message },
      };
    }),
  };
}

function sectionOf(result: ToyResult): Section {
  const { name, file, can } = result;
  const capabilities = Object.entries(can);
  const facts: Evidence['facts'] = () => [{ label: 'answer', text: '', tone: 'said' }];
  return {
    kind: 'model',
    name,
    mark: isFine(result) ? YES : NO,
    parts: [`${capabilities.filter(([, able]) => able).length} of ${capabilities.length} capabilities`],
    isFine: isFine(result),
    description: '',
    file,
    blocks: [
      {
        type: 'matrix',
        corner: 'capability',
        joint: 'by',
        columns: [{ name: 'asked once', remark: '', facts: [] }],
        rows: capabilities.map(([capability]) => ({ name: capability, remark: '', facts: [] })),
        cells: capabilities.map(([, able]) => {
          const mark = able ? YES : NO;
          return { mark, text: mark.word, share: '', spoken: mark.name, facts };
        }),
        marks: [YES, NO],
        legend: '',
      },
      {
        type: 'evidence',
        noun: 'capability',
        items: capabilities.flatMap(([capability, able]) =>
          able ? [] : [{ mark: NO, names: [capability], joint: '', remark: 'asked once', cell: null, facts }],
        ),
      },
    ],
  };
}
