// Makes one module of chunks that are loaded together in any case: one scope is read and laid out faster than a hundred
// that ask each other for their names.
import { init, parse } from 'es-module-lexer';

/** What a joined module gives its chunks to, an object by their names: `asScript` makes it a parameter. */
export const CHUNKS = '__chunks';

/**
 * The text of a module that gives, for each chunk of `names` that others ask for, what they ask for. `texts` are those of
 * all chunks, by name. `entries`, which do things by themselves, run last: then others can ask for chunks that stand here.
 * What is asked for with `import()`, here or elsewhere, stays outside.
 */
export async function joinChunks(names, texts, { entries, build: options }) {
  const { build } = await import('esbuild');
  const inside = new Set(names);
  const wanted = [...(await wantedOf(inside, texts, entries))];
  const [last, first] = [true, false].map((isEntry) => wanted.filter(([name]) => entries.includes(name) === isEntry));
  const { outputFiles } = await build({
    ...options,
    stdin: { contents: `import"${FIRST}";${givenText(last)}`, resolveDir: options.absWorkingDir },
    bundle: true,
    format: 'esm',
    write: false,
    metafile: false,
    plugins: [inMemory(new Map([[FIRST, givenText(first)], ...names.map((name) => [name, texts.get(name)])]))],
  });
  return outputFiles[0].text;
}

/** The module that is made of all chunks but entries. */
const FIRST = 'first';

function givenText(wanted) {
  const chunks = wanted.map(([name, words], index) => {
    const picked = [...words].map((word, number) => [word, `_${index}_${number}`]);
    const imported = picked.map(([word, local]) => `${word} as ${local}`).join();
    const given = picked.map(([word, local]) => `${word}:${local}`).join();
    return [`import{${imported}}from"./${name}";`, `${CHUNKS}[${JSON.stringify(name)}]={${given}};`];
  });
  return [...chunks.map(([imports]) => imports), ...chunks.map(([, gives]) => gives)].join('');
}

/** What is asked for by other files, and of entries and what `import()` asks for, all that there is. */
async function wantedOf(inside, texts, entries) {
  await init;
  const wanted = new Map([...inside].map((name) => [name, new Set()]));
  const wantAll = (name) => {
    for (const { n } of parse(texts.get(name), name)[1]) wanted.get(name).add(n);
  };
  for (const entry of entries) if (inside.has(entry)) wantAll(entry);
  for (const [name, text] of texts) {
    for (const { n, d, ss, se } of parse(text, name)[0]) {
      const chunk = n?.replace(/^\.\//, '');
      if (!inside.has(chunk)) continue;
      if (d !== -1) wantAll(chunk);
      else if (!inside.has(name)) for (const word of wordsIn(text.slice(ss, se))) wanted.get(chunk).add(word);
    }
  }
  return wanted;
}

/** Names before `as` in the braces of an import. */
function wordsIn(statement) {
  const [, names = ''] = /\{([^}]*)\}/.exec(statement) ?? [];
  return pairsOf(names).map(([word]) => word);
}

/** `a as b, c` as pairs of the first and the last name. */
export function pairsOf(names) {
  return names
    .split(',')
    .map((pair) => pair.trim().split(/\s+as\s+/))
    .filter(([first]) => first !== '')
    .map(([first, last = first]) => [first, last]);
}

function inMemory(texts) {
  return {
    name: 'in-memory',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /.*/ }, ({ path, kind }) => {
        const name = path.replace(/^\.\//, '');
        return kind !== 'dynamic-import' && texts.has(name)
          ? { path: name, namespace: 'memory' }
          : { path, external: true };
      });
      onLoad({ filter: /.*/, namespace: 'memory' }, ({ path }) => ({ contents: texts.get(path), loader: 'js' }));
    },
  };
}
