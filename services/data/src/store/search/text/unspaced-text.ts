/**
 * Letters of scripts that put no spaces between words: Han, kana, Bopomofo, Thai, Lao, Khmer and Burmese. A text search
 * parser takes a whole run of them for one word. Hangul has spaces, but joins words of compounds and particles.
 */
const letters =
  '[\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Bopomofo}\\p{sc=Hangul}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}]'
const run = new RegExp(`[${letters}&&[\\p{L}\\p{M}\\p{Nl}]]+`, 'gv')
const hasLetter = new RegExp(`[${letters}&&[\\p{L}\\p{Nl}]]`, 'v')

/** Vowel marks of Arabic and Hebrew, which most texts leave out, and the tatweel, which only stretches a word. */
export const vowelMarks = /[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0640\u064b-\u0652\u0670]/gu
/**
 * Variants of characters in width or form, such as half-width kana, full-width letters, ㈱ and ligatures, and letters
 * with vowel marks.
 */
const variants = new RegExp(
  `[\\u3200-\\u33ff\\uf900-\\ufaff\\ufb00-\\ufb06\\uff01-\\uffef][\\u3099\\u309a]?|${vowelMarks.source}`,
  'u',
)
const variantRun = new RegExp(`(?:${variants.source})+`, 'gu')

/** A letter with its marks and subscript letters. Longer sequences of marks occur in no language. */
const cluster = /[\p{L}\p{Nl}](?:[\u17d2\u1039]\p{L}|\p{M}){0,8}|./gsu

/** Number of clusters of a text whose pairs are indexed; PostgreSQL limits a document to 1 MiB of words. */
const maxPairs = 24_000

/** Returns true if a text has more than signs and pictures. */
export const hasLetterOrDigit = (text: string): boolean => /[\p{L}\p{N}]/u.test(replaceVariants(text))

/** Returns true if a text has words without spaces, or variants of characters. */
export const isUnspaced = (text: string): boolean => hasNonAscii(text) && (hasLetter.test(text) || variants.test(text))

// The range check keeps the cost of most texts at one scan of their characters.
const hasNonAscii = (text: string): boolean => /[\u0080-\uffff]/.test(text)

/** Returns a text with usual characters instead of their variants (NFKC). */
export const replaceVariants = (text: string): string =>
  variants.test(text) ? text.replaceAll(variantRun, toUsualForm) : text

/** Returns a text in usual characters (NFKC), without vowel marks. */
export const toUsualForm = (text: string): string => text.normalize('NFKC').replaceAll(vowelMarks, '')

/** Returns the runs of letters without spaces in a text, normalized. */
export const listRuns = (text: string): string[] =>
  hasNonAscii(text) ? (replaceVariants(text).match(run) ?? []).map((found) => found.normalize('NFKC')) : []

/** Returns the letters of a run, each with its marks. */
export const listClusters = (text: string): string[] => text.match(cluster) ?? []

/**
 * Returns a text in which each letter of a run is a word of its own, so that positions of words tell what is adjacent.
 * Such a word is written in hexadecimal digits, because parsers and stemmers differ in what they do to these letters.
 */
export const separateLetters = (text: string): string =>
  isUnspaced(text) ? replaceVariants(text).replaceAll(run, (found) => ` ${lettersOf(found).join(' ')} `) : text

/** The same, without the runs themselves: the words that a parser separates. */
export const removeRuns = (text: string): string =>
  isUnspaced(text) ? replaceVariants(text).replaceAll(run, ' ') : text

const lettersOf = (found: string): string[] => codesOf(found.normalize('NFKC')).map((code) => `q${code}q`)

/**
 * Returns the words by which a run is found: the letter of a single one, else each pair of neighbours. A document with
 * all of them almost certainly has the run.
 */
export function listPairs(found: string): string[] {
  const codes = codesOf(found)
  return codes.length === 1 ? codes.map((code) => `q${code}q`) : [...new Set(pairUp(codes))]
}

// With a letter at both ends, no parser divides the word and no stemmer changes it.
const pairUp = (codes: readonly string[]): string[] => codes.slice(1).map((code, nth) => `q${codes[nth]}${code}q`)

const codesOf = (found: string): string[] =>
  listClusters(found).map((letter) =>
    letter.length === 1
      ? letter.charCodeAt(0).toString(16)
      : Array.from(letter, (character) => character.codePointAt(0)?.toString(16)).join(''),
  )

/** Words with `&`, short ones with `++`, `#` or `/`, those after a full stop, and pictures: AT&T, C#, 24/7, .NET. */
const symbolic =
  /(?<![\p{L}\p{N}])(?:[\p{L}\p{N}]+(?:&[\p{L}\p{N}]+)+|\p{L}{1,3}(?:\+\+|#)(?![\p{L}\p{N}+#])|(?<!\/)[\p{L}\p{N}]{1,2}\/[\p{L}\p{N}]{1,2}(?![\p{L}\p{N}/])|(?<=^|\s)\.\p{L}{2,10}(?![\p{L}\p{N}.]))|(?![\u00a9\u00ae\u203c-\u21ff\u27a1\u2934\u2935\u2b05-\u2b07])\p{ExtPict}/gu

/** Returns other spellings of words with symbols, which no parser keeps: `atandt`, `cplusplus`, `csharp`. */
export const listSymbolicWords = (text: string): string[] =>
  /[&#+/.\u203c-\uffff]/.test(text) ? (replaceVariants(text).match(symbolic) ?? []).map(spellSymbols) : []

const spellings: Readonly<Record<string, string>> = {
  '&': 'and',
  '++': 'plusplus',
  '#': 'sharp',
  '/': 'slash',
  '.': 'dot',
}
const spellSymbols = (word: string): string =>
  word
    .toLowerCase()
    .replaceAll(/\+\+|[&#/.]/g, (symbol) => spellings[symbol] ?? '')
    .replaceAll(/\p{ExtPict}/gu, (picture) => `q${picture.codePointAt(0)?.toString(16)}q`)

/**
 * Returns a text as it is indexed: with its letters separated, then the words by which its runs and symbols are found.
 * @returns null if it is indexed as it is
 */
export function toIndexedText(text: string | null): string | null {
  if (text === null) return null
  const more = [...listRunPairs(text), ...listSymbolicWords(text)]
  if (more.length > 0) return `${separateLetters(text)}\n${more.join(' ')}`
  return isUnspaced(text) ? separateLetters(text) : null
}

function listRunPairs(text: string): string[] {
  const pairs: string[] = []
  for (const found of isUnspaced(text) ? listRuns(text) : []) {
    if (pairs.length >= maxPairs) break
    pairs.push(...pairUp(codesOf(found).slice(0, maxPairs - pairs.length + 1)))
  }
  return pairs
}
