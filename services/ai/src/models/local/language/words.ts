/** A word of a text. */
export interface Word {
  /** As written. */
  text: string
  /** In lower case, without accents. */
  plain: string
}

const wordPattern =
  /(?<![\p{L}\p{N}])\d{4}-\d{2}(?:-\d{2})?(?![\p{L}\p{N}-])|(?<![\p{L}\p{N}])\d+(?:[.,]\d+)*(?![\p{L}\p{N}])|[\p{L}\p{N}]+|[%€$£<>≥≤]/gu

/** Returns the words of a text, in order; `isn't` has two, and a number or a day is one. */
export const wordsOf = (text: string): Word[] =>
  (unfolded(text).match(wordPattern) ?? []).map((word) => ({ text: word, plain: plainOf(word) }))

const unfolded = (text: string): string =>
  text
    .replaceAll(/(?<=\p{L})n['’]t\b/giu, ' not')
    .replaceAll(/['’]s\b/giu, '')
    .replaceAll('>=', '≥')
    .replaceAll('<=', '≤')

/** Returns the words of a field name: `monthlyCost` and `monthly_cost` have two, and `kWh` is one. */
export const wordsOfName = (name: string): Word[] => wordsOf(name.replaceAll(/(\p{Ll}{2})(\p{Lu})/gu, '$1 $2'))

const plainOf = (word: string): string => {
  const lower = word.toLowerCase()
  // Nearly all words; the rest takes ten times as long.
  if (/^[a-z\d]*$/.test(lower)) return lower
  return lower
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
}

/** Returns a word with umlauts as single letters, so that `Gebäude` and `Gebaeude` are equal. */
export const fold = (word: string): string => plainOf(word).replaceAll(/(?<=[^aeiouq])(a|o|u)e/g, '$1')

/** Endings of English and German, longest first. What remains has at least three letters. */
const endings = [
  ...['ungen', 'ings', 'ing', 'ung', 'ies', 'ied', 'ers', 'ern', 'est', 'ste'],
  ...['ed', 'es', 'er', 'en', 'em', 'et', 'ly', 's', 'e', 'y'],
]

/** Returns a coarse stem, equal for `clean`, `cleaned` and `cleaning`: good enough to find a passage. */
export function stemOf(word: string): string {
  const folded = fold(word)
  if (/\d/.test(folded)) return folded
  const ending = endings.find((candidate) => folded.endsWith(candidate) && folded.length - candidate.length >= 3)
  const stem = ending === undefined ? folded : folded.slice(0, -ending.length)
  // `planned` and `plan`, `running` and `run`, `organised` and `organizer`
  return stem.replace(/([bdgmnprt])\1$/, '$1').replace(/(?<=\p{L}{4})is$/u, 'iz')
}

/**
 * Returns a word and what it may be the plural or, in German, another case of. Participles stay what they are: `closed`
 * is not `close`.
 */
export function formsOf(word: string, language: Language): string[] {
  const folded = fold(word)
  if (/\d/.test(folded)) return [folded]
  const cut = (ending: string, least: number, more = '') =>
    folded.endsWith(ending) && folded.length - ending.length >= least ? [folded.slice(0, -ending.length) + more] : []
  const english = [
    ...cut('ies', 2, 'y'),
    ...cut('es', 3),
    ...cut('ees', 4, 'e'),
    ...cut('ee', 5, 'e'),
    ...(folded.endsWith('ss') ? [] : cut('s', 3)),
  ]
  const german =
    language === 'de'
      ? [
          ...['e', 'n', 'en', 'er', 'em', 'ern', 'nen', 'zahl', 'anzahl'].flatMap((ending) => cut(ending, 4)),
          ...cut('en', 3, 'a'),
        ]
      : []
  return [folded, ...english, ...german]
}

const functionWords = {
  en: 'a an the of in on at to for from by per with and or is are was were be been do does did has have had can could may must should shall will would what which who whom whose when where why how it its this that these those there their they we our us i me my you your he she his her as if than then into about any all each every some many much more most least not no yes please tell show give list me find get between within during also only just s until up out',
  de: 'der die das den dem des ein eine einen einem einer eines und oder ist sind war waren sein wird werden wurde wurden hat haben hatte hatten kann konnen darf durfen muss mussen soll sollen was welche welcher welches welchen welchem wer wen wem wessen wann wo warum wie wieviel viel viele es sie er wir uns unser unsere ich mich mir mein meine meinen meinem meiner du ihr euch man im in am an auf aus ab bei mit nach von vom zu zum zur fur uber unter vor pro je als wenn dass nicht kein keine keinen nur auch noch schon bitte zeige zeig nenne nenn liste gib gibt alle jede jeder jedes jeden diese dieser dieses dort hier sich seit bis um durch ohne zwischen wahrend denn etwa gilt',
}

const germanWords = new Set(functionWords.de.split(' '))
const englishWords = new Set(functionWords.en.split(' '))

/** Returns true for a word that says nothing about the subject of a text, such as `the`, `which` or `wie`. */
export const isFunctionWord = (word: string): boolean => germanWords.has(fold(word)) || englishWords.has(plainOf(word))

/** Words of questions about numbers and days that English does not have. */
const germanTerms =
  /\b(?:(?:mon|diens|donners|frei|sams|sonn)tags?|mittwochs?|kw ?\d{1,2}|kalenderwoche|wochentag|summe|anzahl|durchschnitt\w*|pro|je|insgesamt)\b/i

export type Language = 'en' | 'de'

/** Returns the language of a question by its function words. */
export function languageOf(text: string): Language {
  // The half of the day in `9 am` is no German word.
  const words = wordsOf(text.replaceAll(/\d\s*[ap]m\b/gi, '')).map(({ plain }) => plain)
  const count = (known: ReadonlySet<string>) => words.filter((word) => known.has(word)).length
  const lead = count(germanWords) - count(englishWords)
  // Names such as Zürich are in questions of both languages.
  return lead > 0 || germanTerms.test(text) || (lead === 0 && /[äöüß]/i.test(text)) ? 'de' : 'en'
}
