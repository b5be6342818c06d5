/** What a terminal obeys, hides or reorders, and breaks of lines. */
const CONTROLS =
  'c\u001b[2J\u001b]0;pwned\u0007\u009b31m\u001b[31mred\u001b[8m\u0085\u202etxt\u2066\u200b\u{e0041}\u00ad\r';

/** Commands that runners of CI obey at the start of a line, after blanks, or anywhere in it. */
const COMMANDS =
  '\n::error::pwned\n  \u3000::stop-commands::tok\n##vso[task.setvariable variable=x]pwned ##teamcity[pwned] ##[error]pwned ██[error]pwned';

/** In a narrow column it is cut so that a line begins with a command. */
const WRAPPED = ` ${'w'.repeat(44)} ::stop-commands::tok ${'x'.repeat(120)} ::error::pwned ##vso[task.setvariable]pwned ${'y'.repeat(90)}`;

/** All at once. */
export const HOSTILE = `${CONTROLS}${COMMANDS}${WRAPPED}`;

/** The same for a file's name. */
export const HOSTILE_FILE = '::error::pwned ##vso[pwned]\u001b[2J\u009b31m\u202e\n::error::pwned';

/** A text as TOML and JSON both read it back. */
export function quoted(text: string): string {
  return JSON.stringify(text).replaceAll('\u007f', '\\u007f');
}

/** The styles that passk paints with. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: styles begin with one
const OWN_STYLE = /\u001b\[(?:1|2|22|31|32|33|36|39)m/g;

/** What passk itself says to the runner of GitHub: one line each, with a place. */
const OWN_ANNOTATION = /^::(?:error|warning|notice) (?:file=[^,:]+,line=\d+,col=\d+,)?title=[^,:]+::/;

/** Every line of an output that a terminal or a CI runner would obey; colours and annotations of passk are none. */
export function obeyedLines(output: string, { color = false, annotations = false } = {}): readonly string[] {
  const plain = color ? output.replace(OWN_STYLE, '') : output;
  return plain.split('\n').filter((line) => {
    if (
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
      /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\p{Cs}\u{e0000}-\u{e007f}]/u.test(
        line,
      )
    ) {
      return true;
    }
    const isOwn = annotations && OWN_ANNOTATION.test(line);
    return (!isOwn && /^::.*?::/.test(line.trim())) || /##\w*\[/.test(line);
  });
}
