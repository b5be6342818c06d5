/** A body as text, in the charset that the response names, where it is one; else UTF-8. */
export function bodyText(body: Buffer, contentType: string | null | undefined): string {
  const [, charset] = /;\s*charset\s*=\s*"?([\w:.-]+)/i.exec(contentType ?? '') ?? [];
  if (charset === undefined) return body.toString('utf8');
  try {
    return new TextDecoder(charset).decode(body);
  } catch {
    return body.toString('utf8');
  }
}
