import fc from 'fast-check';
import Papa from 'papaparse';
import { describe, expect, it } from 'vitest';
import { csv } from '../../../src/importers/table/csv.ts';
import { importAll, sourceOf } from '../import-all.ts';

const of = (text: string | Uint8Array) => sourceOf({ 'runs.csv': text });

describe('csv', () => {
  it('reads a table whose columns have usual names without being told', () => {
    const text = [
      'task_id,trial,success,cost_usd,error,prompt_tokens,note',
      'book,0,True,0.02,,120,"first, of ""two"""',
      'book,1,false,n/a,,80,',
      'pay,0,,,connection reset,,',
    ].join('\r\n');
    expect(csv.detects(of(text), {})).toBe(true);
    const { sets, broken, problems } = importAll(csv, of(text));
    expect([broken, problems]).toEqual([[], []]);
    expect(sets).toEqual({
      '': [
        {
          task: 'book',
          attempt: 0,
          scores: [{ name: 'success', value: true }],
          costs: [{ kind: 'model', name: '', usage: { promptTokens: 120 }, usd: 0.02 }],
          extra: { note: 'first, of "two"' },
        },
        {
          task: 'book',
          attempt: 1,
          scores: [{ name: 'success', value: false }],
          costs: [{ kind: 'model', name: '', usage: { promptTokens: 80 } }],
          extra: { note: '' },
        },
        { task: 'pay', attempt: 0, scores: [], error: 'connection reset', extra: { note: '' } },
      ],
    });
  });

  it('reads columns under the names that it is told, one set for each value', () => {
    const text = 'Frage;Note;Modell;Dauer\na;0,5;m1;7\na;1;m2;abc\nb;0.25;m1;3\n';
    const options = { task: 'Frage', score: 'Note', set: 'Modell', duration_ms: 'Dauer' };
    const { sets, broken } = importAll(csv, of(text), options);
    expect(sets).toEqual({
      m1: [{ task: 'b', scores: [{ name: 'Note', value: 0.25 }], durationMs: 3 }],
      m2: [
        {
          task: 'a',
          scores: [{ name: 'Note', value: 1 }],
          unsaid: { durationMs: '"Dauer" is "abc", no number from 0' },
        },
      ],
    });
    expect(broken).toEqual(['"Note" is "0,5", no number.']);
  });

  it('names the columns that are there where none tells task or verdict', () => {
    const text = 'question;answer\n1;2\n';
    expect(csv.detects(of(text), {})).toBe(false);
    expect(() => importAll(csv, of(text))).toThrow(
      'No column tells the task: name it as task=COLUMN. No column tells whether a run passed: name it as passed=COLUMN, or score=COLUMN. Its columns: "question", "answer".',
    );
    expect(() => importAll(csv, of(text), { task: 'Question', passed: 'answer' })).toThrow(
      'There is no column "Question", which was to tell the task. Its columns: "question", "answer".',
    );
  });

  it('costs a broken row itself', () => {
    const text = 'task,passed\na,yes\nb,maybe\n,no\nc,no,7\nd,"no"x\ne,"never ends\n';
    const { sets, broken, problems } = importAll(csv, of(text));
    expect(sets['']).toMatchObject([{ task: 'a', scores: [{ value: true }] }]);
    expect(broken).toEqual([
      '"passed" is "maybe", neither true nor false.',
      'It names no task.',
      'It has 3 cells, but there are 2 columns.',
      'Its quotes do not fit: Trailing quote on quoted field is malformed.',
      'Its quotes do not fit: Quoted field unterminated.',
    ]);
    expect(problems).toEqual([
      { message: 'A quote begins here that nothing ends.', file: 0, at: text.indexOf('"never') },
    ]);
  });

  it.each([
    ['UTF-16', Buffer.from('\ufefftask,passed\na,1\n', 'utf16le'), 'It is no text in UTF-8. Save it as UTF-8.'],
    ['nothing', Buffer.from('\n\n'), 'It has no rows.'],
    ['two columns of a name', Buffer.from('task,passed,passed\na,1,0\n'), 'Two columns are named "passed".'],
  ])('refuses %s', (_, text, why) => {
    expect(() => importAll(csv, of(text))).toThrow(why);
  });

  it('tells a row in another encoding as broken', () => {
    const text = Buffer.concat([Buffer.from('task,passed\na,1\n'), Buffer.from('é,1\n', 'latin1')]);
    expect(importAll(csv, of(text)).broken).toEqual(['It is not UTF-8. Save it as UTF-8.']);
  });

  it('reads back what a program writes, whatever stands in the cells and wherever chunks end', () => {
    const cell = fc.oneof(fc.string({ maxLength: 8 }), fc.constantFrom('a,b', '"', '""', 'x\r\ny', ';', '\n', '"a"'));
    fc.assert(
      fc.property(
        fc.array(cell, { minLength: 1, maxLength: 6 }),
        fc.record({
          delimiter: fc.constantFrom(',', ';', '\t'),
          newline: fc.constantFrom('\n', '\r\n'),
          quotes: fc.boolean(),
          mark: fc.boolean(),
          pad: fc.option(fc.nat(12)),
        }),
        (notes, { delimiter, newline, quotes, mark, pad }) => {
          // The pad puts a row over the end of the first chunk.
          const long = pad === null ? '' : 'x'.repeat(1024 * 1024 - 48 + pad);
          const rows = [long, ...notes].map((note, at) => ({ task: `t${at}`, passed: 'true', score: '1', note }));
          const text = Papa.unparse(rows, { delimiter, newline, quotes });
          const { sets, broken, problems } = importAll(csv, of(`${mark ? '\ufeff' : ''}${text}`));
          expect([broken, problems]).toEqual([[], []]);
          const read = (sets[''] ?? []).map(({ task, extra }) => ({ task, note: extra?.['note'] }));
          expect(read).toEqual(rows.map(({ task, note }) => ({ task, note })));
        },
      ),
      { numRuns: 100 },
    );
  });
});
