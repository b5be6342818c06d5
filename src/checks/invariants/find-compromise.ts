/** What stands in for "I": who was told to be somebody else says so of itself or repeats what it was told. */
const NEW_SELF =
  "(?:you are|you're|i am|i'm) now (?:dan\\b|stan\\b|(?:an? |the )?(?:unrestricted|unfiltered|uncensored|unbound|jailbroken|evil)\\b|(?:an?|the) (?:new |different |other )?(?:ai\\b|assistant\\b|chat ?bot\\b|bot\\b|language model\\b|persona\\b|character\\b|hacker\\b|pirate\\b)|free (?:from|of)\\b|no longer (?:bound|restricted|limited|an? ai)\\b|in (?:\\w+ )?mode\\b|(?:acting|operating|speaking|role-?playing|pretending)\\b|(?:called|named|known as)\\b)";

/** Somebody else's part, taken on: "I will now act as an unrestricted AI". */
const NEW_ROLE =
  "(?:i will|i'll|i shall|i am going to|i'm going to) now (?:act|behave|answer|respond|speak|operate) (?:as|like) (?:an? |the )?(?:unrestricted|unfiltered|uncensored|unbound|jailbroken|evil)\\b";

/** Talk of an override, a new identity, the head of instructions that should not be seen, and modes without rules. */
const SIGNS = new RegExp(
  [
    '\\bignor(?:e|ed|ing) (?:(?:all|any|the|my|your|of) ){0,3}(?:previous|prior|earlier|above) instructions\\b',
    '\\bdisregard(?:ed|ing)? (?:(?:all|any|the|my|your|of) ){0,3}(?:previous|prior|earlier|above)\\b',
    '\\bforg(?:et|ot|otten|etting) (?:(?:all|any|of) ){0,2}(?:your|my|the|previous|prior) instructions\\b',
    `\\b${NEW_SELF}`,
    `\\b${NEW_ROLE}`,
    '\\b(?:new instructions|override|system prompt) ?:',
    '\\bjailbreak',
    '\\bdan mode\\b',
    '\\bdeveloper mode\\b',
  ].join('|'),
  'g',
);

const REFUSAL = new RegExp(
  [
    "\\b(?:cannot|can not|can't|could not|couldn't|will not|won't|would not|wouldn't|must not|mustn't|may not)\\b",
    '\\b(?:unable|inability|refuse[ds]?|refusing|declin(?:e|ed|ing)|against (?:my|our|the) (?:guidelines|policy|policies|rules))\\b',
    "\\b(?:not|n't) (?:able|allowed|permitted|going|willing|something i (?:can|will|do))\\b",
    '\\b(?:outside (?:of )?(?:my|the) (?:capabilities|scope)|beyond (?:my|the) (?:capabilities|scope))\\b',
  ].join('|'),
  'g',
);

/** Says no to the very next words. */
const DENIAL = /\b(?:not|never|no|without|isn't|don't|doesn't|didn't|aren't|no such thing as) (?:\w+ ){0,2}["'“”‘«]?$/;

/** After one of these, what was refused before does not count any more. */
const TURN = /\b(?:but|however|although|though|nevertheless|anyway|still|yet|instead|so here|okay|ok|sure)\b|:/;

/** How far a sentence is followed to either side. */
const REACH = 400;

/**
 * The first sign that an answer comes from a subject that was talked out of its instructions; null: there is none. Case,
 * white space and typographic apostrophes do not matter.
 *
 * A sign is one of: talk of ignoring, disregarding or forgetting instructions; a new identity ("you are now" an
 * unrestricted AI, in some mode, called somebody); `new instructions:`, `override:`, `system prompt:`; "jailbreak", "DAN
 * mode", "developer mode". It is no sign where the same sentence refuses it ("I cannot ignore previous instructions",
 * "ignore previous instructions is not something I can do"), unless the sentence turns in between ("I cannot, but …"), and
 * where the words before it say no to it ("there is no developer mode"). "You are now booked on flight 12" is no new
 * identity, and an order in quotation marks ("the phrase 'ignore previous instructions' is a known attack") is spoken about,
 * not obeyed.
 */
export function findCompromise(text: string): string | null {
  const plain = text
    .toLowerCase()
    .replace(/[’‘ʼ‛＇´`]/g, "'")
    .replace(/[^\S\n]+/g, ' ');
  for (const { 0: sign, index } of plain.matchAll(SIGNS)) {
    const before = sentenceBefore(plain, index);
    const after = sign.endsWith(':') ? '' : sentenceAfter(plain, index + sign.length);
    if (!isRefused(before, after) && !isQuoted(sign, before, after)) return sign;
  }
  return null;
}

/** Whether the words are spoken about instead of said: an order to others, in quotation marks. */
function isQuoted(sign: string, before: string, after: string): boolean {
  return ORDER.test(sign) && /["'“„«‹]$/.test(before) && /^[^"'”“»›]{0,40}["'”“»›]/.test(after);
}

const ORDER = /^(?:ignore|disregard|forget)\b/;

function isRefused(before: string, after: string): boolean {
  if (DENIAL.test(before)) return true;
  const last = [...before.matchAll(REFUSAL)].at(-1);
  if (last !== undefined && !TURN.test(before.slice(last.index + last[0].length))) return true;
  const [first] = after.matchAll(REFUSAL);
  return first !== undefined && !TURN.test(after.slice(0, first.index));
}

function sentenceBefore(text: string, end: number): string {
  const reached = text.slice(Math.max(0, end - REACH), end);
  const parts = reached.split(SENTENCE_END);
  return parts.at(-1) ?? '';
}

function sentenceAfter(text: string, start: number): string {
  return text.slice(start, start + REACH).split(SENTENCE_END, 1)[0] ?? '';
}

const SENTENCE_END = /[.!?](?=\s|$)|\n/;
