/** What stands before a name and is none. */
export const TITLES: ReadonlySet<string> = new Set(
  'mr mrs ms miss mx dr prof professor sir president herr herrn frau mme monsieur madame m captain king queen'.split(
    ' ',
  ),
);

/** Words with a capital at the beginning of a sentence, folded, which are no names. */
export const COMMON_WORDS: ReadonlySet<string> = new Set(
  [
    'a an the this that these those it its he she they we you i his her their our your my there here',
    'is are was were be been has have had do does did can could will would shall should may might must',
    'in on at by for from with without within to into of off over under after before during since until between among against about',
    'and or but nor so yet if when while where why how who whom whose which what as than because although though unless once',
    'not no yes never always also only just even still already again then now today yesterday tomorrow soon later please thanks thank',
    'all any both each every either neither some many most much more few several other another such same next last',
    'according however therefore thus hence moreover furthermore additionally finally overall instead otherwise meanwhile unfortunately note',
    'ok okay hello hi dear sorry great good new faq pdf let one two three four five six seven eight nine ten',
    'customers orders refunds returns items payments shipping delivery members employees users patients students',
    'der die das den dem des ein eine einer eines einem einen und oder aber wenn weil dass ist sind war waren hat haben wird werden',
    'er sie es wir ihr ich mein dein sein unser euer im in am an auf aus bei mit nach seit von vom zu zum zur uber unter vor fur gegen ohne um',
    'uhr nicht kein keine ja nein auch nur noch schon dann jetzt heute gestern morgen bitte danke laut ab bis pro alle jeder jede jedes',
    'le la les un une des du de et ou mais si car est sont etait il elle ils elles nous vous je ce cette ces cet dans sur sous pour par avec sans',
    'ne pas oui non au aux en chez depuis apres avant selon son sa ses leur leurs notre votre mon ma mes tout tous toute toutes',
  ].flatMap((line) => line.split(' ')),
);

/** Words by which German is told, of which a text has many. */
const GERMAN = new Set(
  'der die das den dem des und ist sind war nicht ein eine einer eines einem einen mit von zu auf fur im am wird werden wurde bei nach aus sich kostet'.split(
    ' ',
  ),
);
const ENGLISH = new Set(
  'the a of and is are was in to for with on by at it that from an be has have not its'.split(' '),
);

/** True: more of these words are German than English. */
export function isGerman(words: readonly string[]): boolean {
  let lead = 0;
  for (const word of words) lead += Number(GERMAN.has(word)) - Number(ENGLISH.has(word));
  return lead > 0;
}
