import { zipOf } from './zip.ts';

/** A sample of a log, small, with one of each. */
export function aSample(id: string | number, epoch: number, more: Readonly<Record<string, unknown>> = {}): object {
  return {
    id,
    epoch,
    input: 'What is 2 + 3?',
    target: '5',
    messages: [
      { role: 'user', content: 'What is 2 + 3?' },
      { role: 'assistant', content: 'attachment://0123456789abcdef0123456789abcdef' },
    ],
    output: { model: 'm', choices: [{ message: { role: 'assistant', content: '5' }, stop_reason: 'stop' }] },
    scores: { exact: { value: 'C', answer: '5' } },
    model_usage: { 'p/m': { input_tokens: 10, output_tokens: 2, total_tokens: 12 } },
    total_time: 1.5,
    events: [{ event: 'state', note: '"]}' }],
    attachments: { '0123456789abcdef0123456789abcdef': 'It is 5.' },
    ...more,
  };
}

export const HEADER = {
  version: 2,
  status: 'success',
  eval: {
    task: 'sums',
    model: 'p/m',
    dataset: { sample_ids: ['a', 'b'] },
    config: { epochs: 2 },
    model_roles: { grader: { model: 'p/g' } },
  },
  results: { scores: [{ name: 'exact', scorer: 'exact' }] },
};

export const SAMPLES: readonly object[] = [
  aSample('a', 1),
  aSample('b', 1, { scores: { exact: { value: 'I' } } }),
  aSample('a', 2, { error: { message: 'down' }, scores: {} }),
  aSample('b', 2, { limit: { type: 'time', limit: 60 }, scores: { exact: { value: 'P' } } }),
];

/** The log as one JSON text. */
export function jsonLog(samples: readonly object[] = SAMPLES, header: object = HEADER): string {
  return JSON.stringify({ ...header, samples });
}

/** The log as an archive. */
export function evalLog(samples: readonly object[] = SAMPLES, header: object = HEADER): Uint8Array {
  const named = samples.map((sample) => {
    const { id, epoch } = sample as { readonly id: string; readonly epoch: number };
    return { name: `samples/${id}_epoch_${epoch}.json`, content: JSON.stringify(sample) };
  });
  const start = { name: '_journal/start.json', content: JSON.stringify({ version: 2, eval: HEADER.eval }) };
  return zipOf([start, ...named, { name: 'header.json', content: JSON.stringify(header) }]);
}
