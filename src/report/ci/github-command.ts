/** A place and a title for an annotation; what is undefined is left out. */
export interface AnnotationPlace {
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  readonly col?: number | undefined;
  readonly title?: string | undefined;
}

/** One workflow command of GitHub Actions, in one line. No text in it can become a command. */
export function githubCommand(level: 'error' | 'warning' | 'notice', place: AnnotationPlace, message: string): string {
  const properties = Object.entries(place).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${escapeProperty(String(value))}`],
  );
  const list = properties.length === 0 ? '' : ` ${properties.join(',')}`;
  return `::${level}${list}::${escapeData(message)}\n`;
}

/** Escapes the three characters that the runner unescapes in messages. */
function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

/** Properties end at `,` and `:`, so these two are escaped as well. */
function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
