import type { PromptExpectation } from '../types/scenarios/expected.ts';
import type { SentPrompt } from './check.ts';
import { compileTextMatch } from '../matching/text-match.ts';
import type { CheckParts } from './make-check.ts';
import { showName, showText } from './show-value.ts';

/**
 * One of `prompts`. With `call`: that request exists and all clauses hold for it. Without: one request satisfies
 * `contains` and `matches` together, and no request contains what `not_contains` names, so none at all is fine for
 * `not_contains` alone. An entry without clauses asks for a request.
 */
export function promptCheck(expected: PromptExpectation): CheckParts {
  const { node, call, contains, notContains, matches: pattern } = expected;
  const name = [
    'prompts',
    ...(node === undefined ? [] : [showName(node)]),
    ...(call === undefined ? [] : [`${call}`]),
  ].join(' ');
  const hasAll = compileTextMatch(
    { ...(contains !== undefined && { contains }), ...(pattern !== undefined && { matches: pattern }) },
    name,
  );
  const isForbidden = (text: string): boolean => notContains !== undefined && text.includes(notContains);
  const onlyForbids = notContains !== undefined && contains === undefined && pattern === undefined;

  const holds = (prompts: readonly SentPrompt[]): boolean => {
    let number = 0;
    let isMet = onlyForbids && call === undefined;
    for (const { node: sender, text } of prompts) {
      if (node !== undefined && sender !== node) continue;
      number++;
      if (call !== undefined && number !== call) continue;
      if (isForbidden(text)) return false;
      if (!isMet) isMet = hasAll(text);
    }
    return isMet;
  };
  const textsOf = (prompts: readonly SentPrompt[]): readonly string[] => {
    const texts = prompts.filter((prompt) => node === undefined || prompt.node === node).map((prompt) => prompt.text);
    return call === undefined ? texts : texts.slice(call - 1, call);
  };
  return {
    name,
    needs: 'prompts',
    ...(node === undefined ? {} : { at: node }),
    expected: {
      ...(contains === undefined ? {} : { contains }),
      ...(notContains === undefined ? {} : { notContains }),
      ...(pattern === undefined ? {} : { matches: pattern }),
    },
    wanted: wantedText(expected, onlyForbids),
    holds: (view) => holds(view.prompts()),
    got: (view) => textsOf(view.prompts()),
    saw: (view) => {
      const texts = textsOf(view.prompts());
      const culprit = texts.find(isForbidden) ?? texts.at(-1);
      if (culprit === undefined) return 'no such request';
      return texts.length === 1 ? showText(culprit) : `${texts.length} requests, among them ${showText(culprit)}`;
    },
  };
}

function wantedText({ call, contains, notContains, matches }: PromptExpectation, onlyForbids: boolean): string {
  const clauses: string[] = [];
  if (contains !== undefined) clauses.push(`with ${showText(contains)}`);
  if (matches !== undefined) clauses.push(`that matches ${showText(matches)}`);
  if (notContains !== undefined) clauses.push(`without ${showText(notContains)}`);
  const subject = call === undefined ? 'a request' : `request ${call}`;
  if (onlyForbids && call === undefined) return `only requests ${clauses.join()}`;
  return [subject, clauses.join(' and ')].filter((words) => words !== '').join(' ');
}
