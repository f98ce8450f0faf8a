/** A word of a text. */
export interface Word {
  /** As written. */
  text: string
  /**
   * Without case, accents and the usual endings, so that `Gebäude` and `gebaeude`, `contracts` and `contract` are
   * equal.
   */
  stem: string
}

/** Returns a word in lower case, without accents, and with umlauts as single letters. */
export const fold = (word: string): string =>
  word
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replaceAll(/\p{M}+/gu, '')
    .replaceAll(/(?<=[^aeiouq])(a|o|u)e/g, '$1')

const wordPattern = /[\p{L}\p{N}]+/gu

/** Returns the words of a text, in order. A number such as `2026` or `1500.5` is a word. */
export const wordsOf = (text: string): Word[] =>
  (text.match(wordPattern) ?? []).map((word) => ({ text: word, stem: stemOf(word) }))

/** Returns the words of a field name: `monthlyCost` and `monthly_cost` have two. */
export const wordsOfName = (name: string): Word[] =>
  wordsOf(name.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2').replaceAll('_', ' '))

/** Returns the stems of a text as a set. */
export const stemsOf = (text: string): Set<string> => new Set(wordsOf(text).map(({ stem }) => stem))

/** Endings of English and German, longest first. What remains has at least three letters. */
const endings = [
  ...['ungen', 'ings', 'ing', 'ung', 'ies', 'ied', 'ers', 'ern', 'est', 'ste'],
  ...['ed', 'es', 'er', 'en', 'em', 'et', 'ly', 's', 'e', 'y'],
]

/**
 * Returns the stem of a word. Coarser than a dictionary: it only has to give the forms of a word the same stem, and is
 * never shown.
 */
export function stemOf(word: string): string {
  const plain = fold(word)
  if (/\d/.test(plain)) return plain
  const ending = endings.find((candidate) => plain.endsWith(candidate) && plain.length - candidate.length >= 3)
  const stem = ending === undefined ? plain : plain.slice(0, -ending.length)
  // `planned` and `plan`, `running` and `run`
  return stem.replace(/([bdgmnprt])\1$/, '$1')
}

const functionWords = {
  en: 'a an the of in on at to for from by per with and or is are was were be been do does did has have had can could may must should shall will would what which who whom whose when where why how it its this that these those there their they we our us i me my you your he she his her as if than then into about any all each every some many much more most least not no yes please tell show give list me find get between within during also only just s',
  de: 'der die das den dem des ein eine einen einem einer eines und oder ist sind war waren sein wird werden wurde wurden hat haben hatte hatten kann konnen darf durfen muss mussen soll sollen was welche welcher welches welchen welchem wer wen wem wessen wann wo warum wie wieviel viel viele es sie er wir uns unser unsere ich mich mir mein meine du man im in am an auf aus bei mit nach von vom zu zum zur fur uber unter vor pro je als wenn dass nicht kein keine keinen nur auch noch schon bitte zeige zeig nenne nenn liste gib gibt alle jede jeder jedes jeden diese dieser dieses dort hier sich seit bis um durch ohne zwischen wahrend denn etwa gilt',
}

const germanWords = new Set(functionWords.de.split(' ').map(fold))
const englishWords = new Set(functionWords.en.split(' ').map(fold))

/** Returns true for a word without a meaning of its own, such as `the`, `which` or `wie`. */
export const isFunctionWord = (word: string): boolean => {
  const plain = fold(word)
  return germanWords.has(plain) || englishWords.has(plain)
}

export type Language = 'en' | 'de'

/** Returns the language of a question by its function words. */
export function languageOf(text: string): Language {
  const words = (text.match(wordPattern) ?? []).map(fold)
  const count = (known: ReadonlySet<string>) => words.filter((word) => known.has(word)).length
  return count(germanWords) > count(englishWords) || /[äöüß]/i.test(text) ? 'de' : 'en'
}
