// A Genkit plug-in that answers any spec file: every model of the one beside the entry is defined. It answers in the mode
// that its name says, such as "fake/bad" or "fake/bad-small", else in that of FAKE_MODE. FAKE_GENKIT names the folder that
// Genkit is installed in.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parse } from 'yaml';
import { answerAsFake, MODES } from './fixtures/fake-model.mjs';

/** Genkit with the models of the spec file beside an entry, which is given by its URL. */
export async function fakePlugin(entry) {
  const { genkit } = await import(
    pathToFileURL(createRequire(`${process.env.FAKE_GENKIT}/package.json`).resolve('genkit'))
  );
  const ai = genkit({ name: 'fake' });
  const spec = parse(readFileSync(path.join(path.dirname(fileURLToPath(entry)), 'model-conformance.yaml'), 'utf8'));
  for (const { model } of [spec].flat()) {
    const supports = {
      multiturn: true,
      tools: true,
      media: true,
      systemRole: true,
      constrained: 'all',
      output: ['text', 'json'],
    };
    const mode = MODES.find((one) => model.replace(/-small$/, '') === `fake/${one}`);
    ai.defineModel({ apiVersion: 'v2', name: model, supports }, (request, options) => {
      const { abortSignal: signal } = options;
      const send = options.streamingRequested ? options.sendChunk : () => undefined;
      return answerAsFake(request, { send, signal, mode });
    });
  }
  return ai;
}
