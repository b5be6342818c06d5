import type { MediaPart } from '../../../types/message.ts';

/** A `data:` URI taken apart, or an address. `contentType` null: nobody said. */
export type MediaSource =
  | { readonly kind: 'data'; readonly contentType: string; readonly base64: string }
  | { readonly kind: 'address'; readonly contentType: string | null; readonly url: string };

/** Where the bytes of a media part are. A `data:` URI that is not base64 is encoded anew. */
export function mediaSource({ url, contentType }: MediaPart): MediaSource {
  const match = /^data:([^;,]*)((?:;[^;,]*)*),/.exec(url);
  if (match === null) return { kind: 'address', contentType, url };
  const [head, type = '', settings = ''] = match;
  const body = url.slice(head.length);
  const base64 = /;\s*base64$/i.test(settings) ? body : Buffer.from(decodeURIComponent(body)).toString('base64');
  return { kind: 'data', contentType: contentType ?? (type === '' ? 'text/plain' : type), base64 };
}
