import type { ValidatorType } from '../../plugin/validator-type.ts';
import type { Json } from '../../types/json.ts';
import { showText, showValue } from '../show-value.ts';
import { fieldOf } from './answer-parts.ts';
import { contentOf, judgedBy, partWith, type Reading } from './reading.ts';

/** `reasoning`: some part of the answer is what the model thought. */
export const reasoning: ValidatorType = {
  kind: 'validator',
  type: 'reasoning',
  summary: 'Some part is what the model thought.',
  argument: { is: 'none', what: '' },
  validate: judgedBy((answer, _argument, reading) => {
    const content = contentOf(answer, reading);
    if (content === null) return `The answer has no message with content: ${showValue(answer.response)}.`;
    return partWith('reasoning', content, reading) === undefined
      ? `No part is reasoning: ${showValue(content)}.`
      : null;
  }),
};

/** `valid-media[:type]`: the first media part is of that type; for `image`, its URL can be one of an image. */
export const validMedia: ValidatorType = {
  kind: 'validator',
  type: 'valid-media',
  summary: 'There is a media part, of that type if one is given; the URL of an `image` is one of an image.',
  argument: { is: 'optional', what: 'the type of media, such as `image` or `audio`' },
  checkArgument: (argument) =>
    /^[\w.+-]+$/.test(argument) ? null : 'A type of media is one word without a subtype, such as `image`.',
  validate: judgedBy((answer, type, reading) => {
    const content = contentOf(answer, reading) ?? [];
    const part = partWith('media', content, reading);
    if (part === undefined) return `The answer has no ${type === '' ? 'media' : type}: ${showValue(content)}.`;
    return type === '' ? null : mediaProblem(fieldOf(part, 'media') ?? null, type, reading);
  }),
};

function mediaProblem(media: Json, type: string, reading: Reading): string | null {
  if (typeof media !== 'object') return `The media part is no object: ${showValue(media)}.`;
  if (media === null) return 'The media part is null.';
  const contentType = fieldOf(media, 'contentType');
  if (contentType && !(typeof contentType === 'string' && contentType.startsWith(`${type}/`))) {
    return `The content type of the media is ${showValue(contentType ?? null)}, not \`${type}/…\`.`;
  }
  return type === 'image' ? imageUrlProblem(fieldOf(media, 'url') ?? '', reading) : null;
}

function imageUrlProblem(url: Json, reading: Reading): string | null {
  if (url === '') return 'The image has no URL.';
  if (typeof url !== 'string') return `The URL of the image is no text: ${showValue(url)}.`;
  if (url.startsWith('data:')) {
    return url.startsWith('data:image/') ? null : `The data of the image are of another type: ${showText(url)}.`;
  }
  if (!url.startsWith('http'))
    return `The URL of the image begins with neither \`data:image/\` nor \`http\`: ${showText(url)}.`;
  const isUrl = reading.presence === 'js' ? URL.canParse(url) : isPythonUrl(url);
  return isUrl ? null : `The URL of the image is none: ${showText(url)}.`;
}

/** A scheme and a host, as `urllib.parse.urlparse` of Python 3.11 finds them. */
function isPythonUrl(url: string): boolean {
  const host = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]+)/i.exec(url.replaceAll(/[\t\r\n]/g, ''))?.[1];
  if (host === undefined) return false;
  // Compatibility forms of `/` and the like would end the host.
  if (/[/?#@:]/.test(host.replaceAll(/[@:#?]/g, '').normalize('NFKC'))) return false;
  if (!/[[\]]/.test(host)) return true;
  const address = /^(?:.*@)?\[([^[\]]+)\](?::.*)?$/.exec(host)?.[1];
  if (address === undefined) return false;
  return /^v[0-9a-f]+\../i.test(address) || URL.canParse(`http://[${address.replace(/%.+$/, '')}]/`);
}
