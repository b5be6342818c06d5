import type { Agent } from './agent.ts';

/**
 * The files that an agent is made of, as far as its description names them, from the root of the suite: its module, that of Python
 * wherever it is looked for, and whatever a program is started with. Not each of them need be there. `file`: where the agent is
 * described.
 */
export function agentFiles({ target }: Agent, file: string): readonly string[] {
  const folder = file.slice(0, file.lastIndexOf('/') + 1);
  switch (target.kind) {
    case 'module':
      return [target.file];
    case 'python': {
      const place = target.module.replaceAll('.', '/');
      const places = [...new Set([`${folder}${place}`, place])];
      return places.flatMap((one) => [`${one}.py`, `${one}/__init__.py`]);
    }
    case 'command':
      // An absolute path is another one on each machine, and what begins with a dash is a flag.
      return target.command.filter((word) => !/^(?:-|[/\\]|[a-z]:)/i.test(word)).map((word) => `${folder}${word}`);
    case 'http':
    case 'function':
      return [];
  }
}
