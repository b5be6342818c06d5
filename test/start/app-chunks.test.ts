import { Script } from 'node:vm';
import { describe, expect, test } from 'vitest';

const { asScript } = (await import(new URL('../../scripts/app-chunks.mjs', import.meta.url).href)) as {
  readonly asScript: (name: string, text: string, idOf: (chunk: string) => string) => Promise<string>;
};

type Body = (
  chunks: Record<string, unknown>,
  require: (id: string) => unknown,
  importAny: (id: string) => Promise<object>,
  url: () => string,
  resolve: (id: string) => string,
) => void;

const URL_OF_CHUNK = 'file:///somewhere/app-a.cjs';

/** A module as a script, as if every chunk had a file of its own. */
function scriptOf(text: string): Promise<string> {
  return asScript('app-a.cjs', text, (chunk) => `./${chunk.replace('.js', '.cjs')}`);
}

/** Runs a module as the script that is made of it; what it asks for is noted. */
async function run(text: string, modules: Readonly<Record<string, unknown>> = {}) {
  const asked: string[] = [];
  const body = new Script(await scriptOf(text)).runInThisContext() as Body;
  const chunks: Record<string, unknown> = {};
  const require = (id: string): unknown => {
    asked.push(id);
    return modules[id];
  };
  body(
    chunks,
    require,
    async (id) => ({ id }),
    () => URL_OF_CHUNK,
    (id) => `found ${id}`,
  );
  return { chunks, asked };
}

describe('a module as a script', () => {
  test('gives what the module gives', async () => {
    const { chunks } = await run('var a=1;function b(){return a+1}__chunks.a=a;__chunks.two=b();');
    expect(chunks).toEqual({ a: 1, two: 2 });
  });

  test('has what it imports, of chunks and of Node, each in the words of the module', async () => {
    const text = `import{x as y,z}from"./app-b.js";import p from"node:path";import*as u from"node:url";import"./app-c.js";
      __chunks.all=[y,z,p.sep,u.href];`;
    const modules = { './app-b.cjs': { x: 1, z: 2 }, 'node:path': { sep: '/' }, 'node:url': { href: 'here' } };
    expect(await run(text, modules)).toEqual({
      chunks: { all: [1, 2, '/', 'here'] },
      asked: ['./app-b.cjs', 'node:path', 'node:url', './app-c.cjs'],
    });
  });

  test('leaves what it imports later to its loader: chunks under the names of their files, all else as it is', async () => {
    const { chunks } = await run('__chunks.a=(b)=>[import("./app-b.js"),import(b),import("yaml")];');
    const { a } = chunks as { readonly a: (module: string) => readonly Promise<unknown>[] };
    const ids = ['./app-b.cjs', 'file:///plug-in.mjs', 'yaml'];
    expect(await Promise.all(a('file:///plug-in.mjs'))).toEqual(ids.map((id) => ({ id })));
  });

  test('loads a cold chunk at once, when one of its functions is called', async () => {
    const modules = { './app-b.cjs': { f: (word: string) => `cold ${word}` } };
    const { chunks, asked } = await run(
      'const load=()=>__defer(import("./app-b.js"));function f(...all){return load().f(...all)}__chunks.f=f;',
      modules,
    );
    expect(asked).toEqual([]);
    expect((chunks['f'] as (word: string) => string)('x')).toBe('cold x');
    expect(asked).toEqual(['./app-b.cjs']);
  });

  test('knows where it is and where modules are', async () => {
    const { chunks } = await run('__chunks.a=import.meta.url;__chunks.b=import.meta.resolve?.("x");');
    expect(chunks).toEqual({ a: URL_OF_CHUNK, b: 'found x' });
  });

  test('loads a slow module of Node with the first call of a function of it', async () => {
    const crypto = { createHash: (name: string) => `hash ${name}` };
    const { chunks, asked } = await run('import{createHash as h}from"node:crypto";__chunks.a=()=>h("x");', {
      'node:crypto': crypto,
    });
    expect(asked).toEqual([]);
    expect((chunks['a'] as () => string)()).toBe('hash x');
    expect(asked).toEqual(['node:crypto']);
  });

  test('is strict code of ASCII characters that means the same', async () => {
    const text =
      'const a=/^\u2713\u{1f600}$/u.test("\\u2713\\u{1f600}"),b=(function(){return this})();__chunks.a=a;__chunks.b=b;';
    expect((await run(text)).chunks).toEqual({ a: true, b: undefined });
    expect(/^[\u0020-\u007e\n]*$/.test(await scriptOf(text))).toBe(true);
  });

  test.each([
    ['a package', 'import a from"left-pad";'],
    ['all of a chunk', 'import*as a from"./app-b.js";'],
    ['a default by its name', 'import{default as a}from"node:path";'],
    ['what is no function of a slow module', 'import{constants as a}from"node:zlib";'],
    ['a class of a slow module', 'import{ChildProcess as a}from"node:child_process";'],
    ['all of a slow module', 'import a from"node:crypto";'],
    ['what else a module knows of itself', 'const a=import.meta.dirname;'],
  ])('is refused when it imports %s', async (_, text) => {
    await expect(scriptOf(text)).rejects.toThrow('app-a.cjs');
  });

  test('is refused when it exports something, as nobody could ask for it', async () => {
    await expect(scriptOf('const a=1;export{a};')).rejects.toThrow('app-a.cjs');
  });
});
