import { defineScenario, type ScenarioDefinition } from 'passk';

const say = (word: string): ScenarioDefinition =>
  defineScenario({
    name: word,
    trials: 50,
    workflow: {
      inline: {
        name: 'say',
        startNodes: [{ name: 'main', source: 'manual', entryNode: 'ask' }],
        nodes: [{ id: 'ask', type: 'llm_infer', backend: 'default', prompt: 'Say it.', inputFrom: 'trigger' }],
      },
    },
    intel: { turns: [{ variants: [{ content: word }] }] },
    expected: { status: 'completed', final: { path: 'content', equals: word } },
  });

export default ['yes', 'no'].map(say);
