import type { ValidatorType } from '../../plugin/validator-type.ts';
import { countWork } from '../../values/work.ts';
import { showText } from '../show-value.ts';
import { answerText, judgedBy, type Reading } from './reading.ts';
import { stripped } from './white-space.ts';

/** `text-includes[:s]`: the text holds the argument, in whatever case. */
export const textIncludes: ValidatorType = {
  kind: 'validator',
  type: 'text-includes',
  summary: 'The text holds another, whatever their case; without one, there is a text.',
  argument: { is: 'optional', what: 'the text to find' },
  validate: onText((text, argument) => {
    if (text.toLowerCase().includes(argument.toLowerCase())) return null;
    return `The text does not hold ${showText(argument)}: ${showText(text)}.`;
  }),
};

/** `text-starts-with[:s]`: the text begins with the argument, after white space. */
export const textStartsWith: ValidatorType = {
  kind: 'validator',
  type: 'text-starts-with',
  summary: 'The text begins with another, in the same case, after any white space; without one, there is a text.',
  argument: { is: 'optional', what: 'the text to begin with' },
  validate: onText((text, argument, reading) => {
    if (stripped(text, reading).startsWith(argument)) return null;
    return `The text does not begin with ${showText(argument)}: ${showText(text)}.`;
  }),
};

/** `text-not-empty`: the text is more than white space. */
export const textNotEmpty: ValidatorType = {
  kind: 'validator',
  type: 'text-not-empty',
  summary: 'The text is more than white space.',
  argument: { is: 'none', what: '' },
  validate: onText((text, _argument, reading) => {
    return stripped(text, reading) === '' ? `The text is nothing but white space: ${showText(text)}.` : null;
  }),
};

function onText(judge: (text: string, argument: string, reading: Reading) => string | null): ValidatorType['validate'] {
  return judgedBy((answer, argument, reading) => {
    const text = answerText(answer, reading);
    if (text === null) return 'The answer has no text.';
    countWork(text.length);
    return judge(text, argument, reading);
  });
}
