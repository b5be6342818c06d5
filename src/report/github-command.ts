/** A place and a title for an annotation; what is undefined is left out. */
export interface AnnotationPlace {
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  readonly col?: number | undefined;
  readonly title?: string | undefined;
}

/** One workflow command of GitHub Actions, in one line: whatever the texts hold, they stay texts. */
export function githubCommand(level: 'error' | 'warning' | 'notice', place: AnnotationPlace, message: string): string {
  const properties = Object.entries(place).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${escapeProperty(String(value))}`],
  );
  const list = properties.length === 0 ? '' : ` ${properties.join(',')}`;
  return `::${level}${list}::${escapeData(message)}\n`;
}

/** The runner undoes exactly these three in messages. */
function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

/** Properties end at `,` and `:`, so that these two are escaped as well. */
function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
