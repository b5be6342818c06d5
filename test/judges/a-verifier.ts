import type { LiveModel } from '../../src/settings/live-functions.ts';

type Messages = readonly { readonly content: string }[];

/** What a verifier is asked, as its model reads it. */
export function askedToVerify(messages: Messages): {
  readonly mark: string;
  readonly shown: string;
  readonly splits: boolean;
} {
  const [system = '', shown = ''] = messages.map(({ content }) => content);
  return { mark: /"mark":"(m-[0-9a-f]+)"/.exec(system)?.[1] ?? '', shown, splits: system.includes('"claims":[') };
}

/** The answer of a verifier that finds a claim where it stands in a context as it is. */
export function verified(messages: Messages): string {
  const { mark, shown, splits } = askedToVerify(messages);
  if (splits) return JSON.stringify({ mark, claims: shown.replace(/^answer: "|"$/g, '').split(/(?<=\.) /) });
  const contexts = [...shown.matchAll(/^context \d+: (.*)$/gm)].map(([, text = '']) => text).join('\n');
  const verdicts = [...shown.matchAll(/^(claim-\d+): "(.*)"$/gm)].map(([, criterion, text = '']) => {
    const met = contexts.includes(text);
    return { criterion, reason: met ? 'It stands there.' : 'The policy says the opposite.', met };
  });
  return JSON.stringify({ mark, verdicts });
}

/** The same as a function that answers. */
export const nli: LiveModel = ({ messages }) => ({
  content: verified(messages),
  promptTokens: 50,
  completionTokens: 10,
});
