/** What XML 1.0 cannot hold in any form: most control characters, lone surrogates, two noncharacters. */
const ILLEGAL =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** `text` as XML character data. What XML cannot hold becomes U+FFFD; readers get everything else unchanged. */
export function xmlText(text: string): string {
  return (
    text
      .replace(ILLEGAL, '\ufffd')
      .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
      .replaceAll('\r', '&#13;')
      // A CI runner would obey a line that begins so.
      .replace(/^(\s*):(?=:)/gm, '$1&#58;')
  );
}

/** Attributes in their order, each after a blank, without undefined ones. */
export function xmlAttributes(values: Readonly<Record<string, string | number | undefined>>): string {
  let text = '';
  for (const [name, value] of Object.entries(values)) {
    // Parsers turn bare white space in attributes into blanks.
    if (value !== undefined)
      text += ` ${name}="${xmlText(String(value)).replaceAll('\n', '&#10;').replaceAll('\t', '&#9;')}"`;
  }
  return text;
}
