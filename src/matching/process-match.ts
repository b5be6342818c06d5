import type { ProcessRequest } from '../plugin/request.ts';
import type { ProcessMatch } from '../types/mock.ts';
import { compileTextMatch } from './text-match.ts';

/** Compiles a test of runs of programs. `resolve` gives the one spelling in which commands are compared. */
export function compileProcessMatch(
  match: ProcessMatch,
  resolve: (path: string) => string,
  owner: string,
): (request: ProcessRequest) => boolean {
  const command = match.command === undefined ? null : resolve(match.command);
  const args = match.args?.map((arg) => compileTextMatch(arg, `${owner} args`));
  const among = match.argsContain.map((arg) => compileTextMatch(arg, `${owner} args_contain`));
  return (request) =>
    (command === null || resolve(request.command) === command) &&
    (args === undefined ||
      (args.length === request.args.length && args.every((fits, at) => fits(request.args[at] ?? '')))) &&
    among.every((fits) => request.args.some(fits));
}
