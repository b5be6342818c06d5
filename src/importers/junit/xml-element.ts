import sax from 'sax';
import { ImportError } from '../../plugin/importer-type.ts';
import { utf8Text } from '../read-record.ts';

/** An element of an XML text, comments and the like left out. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlElement[];
  /** Its own text and character data, in order. */
  readonly text: string;
}

interface Building extends XmlElement {
  readonly children: Building[];
  text: string;
}

/** Characters that XML forbids, and references to them. Logs of test runs often hold them. */
const FORBIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|&#(?:0*(?:[0-8]|1[124-9]|2\d|3[01])|x0*(?:[0-8bcef]|1[\da-f]));/gi;

/** The element in these bytes. Throws an `ImportError` where it is not well-formed. */
export function xmlElement(bytes: Uint8Array): XmlElement {
  const { root, isWhole } = parsed(utf8Text(bytes));
  if (root === null || !isWhole) throw new ImportError('It is no well-formed XML: its end is missing.');
  return root;
}

/** The attributes of the tag in these bytes, whether its element ends there or not. */
export function xmlAttributes(bytes: Uint8Array): ReadonlyMap<string, string> {
  return parsed(utf8Text(bytes)).root?.attributes ?? new Map();
}

function parsed(text: string): { readonly root: XmlElement | null; readonly isWhole: boolean } {
  const open: Building[] = [];
  let root: Building | null = null;
  let isWhole = false;
  const add = (more: string): void => {
    const [inner] = open.slice(-1);
    if (inner !== undefined) inner.text += more;
  };
  const parser = sax.parser(true, { position: false });
  // The first error ends the reading: to look for more could take long.
  parser.onerror = ({ message }) => {
    throw new ImportError(`It is no well-formed XML: ${message.replace(/\.$/, '')}.`);
  };
  parser.onopentag = ({ name, attributes }) => {
    const element = {
      name,
      attributes: new Map(Object.entries(attributes as Readonly<Record<string, string>>)),
      children: [],
      text: '',
    };
    open.at(-1)?.children.push(element);
    root ??= element;
    open.push(element);
  };
  parser.ontext = add;
  parser.oncdata = add;
  parser.onclosetag = () => {
    open.pop();
    isWhole = open.length === 0;
  };
  parser.write(text.replace(FORBIDDEN, '\ufffd'));
  return { root, isWhole };
}
