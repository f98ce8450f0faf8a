import { TextDecoder } from 'node:util'

type Label = 'windows-1252' | 'windows-1250' | 'iso-8859-2' | 'windows-1254'

/** The letters beyond a to z of a language, in the encodings that its files have. */
const languages: readonly (readonly [labels: readonly Label[], letters: readonly string[]])[] = [
  [['windows-1252'], ['äöüßé', 'àâçéèêëîïôùûüœæ', 'áéíñóúüªº', 'ãõáâàçéêíóôúªº', 'àèéìòù', 'åäöé', 'æøåéö', 'áéëïóöü']],
  [
    ['windows-1250', 'iso-8859-2'],
    ['ąćęłńóśźż', 'áčďéěíňóřšťúůýž', 'áäčďéíĺľňóôŕšťúýž', 'áéíóöőúüű', 'čćđšž', 'ăâîşţ', 'äöüßé'],
  ],
  [['windows-1254'], ['çğıöşüâîû']],
  // Icelandic comes after Turkish, which has letters of its own in the same places and far more files.
  [['windows-1252'], ['áéíóúýðþæö']],
]
const candidates = languages.flatMap(([labels, letters]) => labels.map((label) => ({ label, letters })))
const signs = /[^\p{ASCII}\p{L}]/gu
/** Vowels, consonants and signs in rows that no word of these languages has, after the marks of letters were taken. */
const unlikely =
  /[aeiouyæœøı]{4}|[bcdfghjklmnpqrstvwxzßłđðþ]{5}|[£¤¥¦§¬®±²³µ¶¸¹¼½¾÷¨ˇ˘˙˛˝×]\p{L}|\p{L}[£¤¥¦¬¶¸¹¼½¾±÷ˇ˘˙˛˝¨×]/iu
const [minShare, surelyAhead, minLetters] = [0.85, 0.3, 3]

/**
 * Returns the encoding in which nearly all words of a text have the foreign letters of one language, and no row of
 * letters that it has not; undefined if there is none. Of readings that are as likely, only Windows-1252 is taken.
 *
 * @param words words with foreign bytes, separated by spaces
 */
export function guessLatin(words: Buffer): { name: string; confidence: number } | undefined {
  const foreign = words.filter((byte) => byte >= 0x80).length
  if (foreign > words.filter((byte) => byte < 0x80 && byte !== 0x20).length) return undefined
  const readings = candidates
    .map(({ label, letters }) => {
      const text = new TextDecoder(label).decode(words).normalize('NFC')
      return { name: label, text, share: Math.max(...letters.map((own) => shareOf(text, own))) }
    })
    .sort((a, b) => b.share - a.share)
  const [best] = readings
  if (best === undefined || best.share < minShare) return undefined
  const other = readings.find(({ text }) => text !== best.text)?.share ?? 0
  if (best.share === other && best.name !== 'windows-1252') return undefined
  const distinct = new Set(
    best.text
      .toLowerCase()
      .replaceAll(signs, '')
      .match(/(?!\p{ASCII})\p{L}/gu),
  ).size
  const isSure = other < minShare && best.share - other >= surelyAhead && distinct >= minLetters
  return { name: best.name, confidence: isSure ? 0.95 : 0.7 }
}

/** Returns the share of the words whose foreign letters are all of a language, and which have no unlikely row. */
function shareOf(text: string, letters: string): number {
  const words = text.split(' ').filter((word) => word !== '')
  if (words.length === 0) return 0
  const likely = words.filter((word) => {
    if (/[\ufffd\u0080-\u009f]|\p{Ll}(?!\p{ASCII})\p{Lu}/u.test(word)) return false
    const foreign =
      word
        .replaceAll('İ', 'ı')
        .toLowerCase()
        .match(/(?!\p{ASCII})\p{L}/gu) ?? []
    const plain = word.normalize('NFD').replaceAll(/\p{M}/gu, '')
    return foreign.every((letter) => letters.includes(letter)) && !unlikely.test(plain)
  })
  return likely.length / words.length
}
