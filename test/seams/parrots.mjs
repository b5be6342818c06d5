// A toy: a subject that repeats what it is told, sometimes badly, and a kind of suite that asks it phrase by phrase.

export const parrot = {
  kind: 'subject',
  type: 'parrot',
  summary: 'Repeats what it is told; a tired one forgets a word now and then.',
  repeatable: true,
  open({ phrase, tired, napMs }, { draw }) {
    return {
      async run(trial) {
        await new Promise((resolve) => setTimeout(resolve, napMs));
        if (phrase === 'die') throw new Error('The parrot is no more.');
        const words = phrase.split(' ');
        const isTired = draw(trial, 'tired') < tired;
        const text = (isTired ? words.slice(1) : words).join(' ');
        return {
          turns: [
            { role: 'user', text: `Say: ${phrase}` },
            { role: 'assistant', text, tokens: words.length, latencyMs: 5 },
          ],
          calls: [{ name: 'beak', args: { words: words.length } }],
          counters: { toolCalls: 1 },
        };
      },
    };
  },
};

export const parrots = {
  kind: 'suite',
  type: 'parrots',
  summary: 'Asks a parrot to say things; one that cannot say most of them fails.',
  rootKeys: ['parrot'],
  load({ data }) {
    const { name, phrases, tired = 0, napMs = 0, trials = 20 } = data.parrot;
    if (!Array.isArray(phrases))
      return [{ message: 'The parrot has no phrases.', at: ['parrot'], hint: 'Add phrases = [ … ].' }];
    return {
      name,
      data: { most: phrases.length / 2 },
      cases: phrases.map((phrase) => ({
        name: phrase,
        subject: { type: 'parrot', data: { phrase, tired, napMs } },
        trials,
        invariants: [
          { id: 'says-it', rule: { type: 'contains', value: phrase } },
          { id: 'uses-its-beak', rule: { type: 'tool_called', tool: 'beak', atLeast: 1 } },
        ],
      })),
    };
  },
  fold({ name, data }, cases) {
    const said = cases.filter(({ trials }) => trials.passed === trials.requested).map((one) => one.name);
    const broken = cases.filter(({ trials }) => trials.broken > 0);
    if (broken.length > 0)
      return { verdict: 'insufficient', reasons: [`${name} broke at ${broken.map((one) => one.name)}.`] };
    const verdict = said.length >= data.most ? 'passed' : 'failed';
    return { verdict, reasons: [`${name} says ${said.length} of ${cases.length} phrases.`], data: { said } };
  },
};
