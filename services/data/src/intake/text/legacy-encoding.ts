import { TextDecoder } from 'node:util'
import { problem } from '@wp/contracts'
import chardet from 'chardet'
import { malformed } from '../problems.ts'
import { guessEuc, minSureCharacters } from './guess-euc.ts'
import { guessLatin } from './guess-latin.ts'

interface Guess {
  name: string
  confidence: number
}

/**
 * Returns the encoding of a text that is not Unicode: Windows-1252 or one of its relatives, or one of another script.
 * @throws Problem `ambiguous_format` if the text has several plausible readings, `malformed_body` if it is no text
 */
export function detectLegacyEncoding(bytes: Uint8Array): Guess {
  if (bytes.includes(0)) throw malformed('The bytes are not text: they contain NUL')
  const words = foreignWords(bytes)
  const latin = isSameInRelatives(words) ? undefined : guessLatin(words)
  if (latin !== undefined && !(latin.name === western1252 && hasEuroOfLatin9(words))) return latin
  const western = canDecode(words, western1252, false) ? shareOfWesternLetters(words, western1252) : 0
  const guesses = guessEncodings(words)
  const [best] = guesses
  if (western >= minWesternShare) {
    const other = guesses.find(({ name }) => name !== western1252)
    const confidence = guesses.find(({ name }) => name === western1252)?.confidence ?? 0
    if (other !== undefined && isLatin(other.name) && other.confidence > confidence + latinMargin) return other
    if (hasEuroOfLatin9(words)) return { name: 'iso-8859-15', confidence: Math.max(confidence, 0.7) }
    return { name: western1252, confidence: isSameInRelatives(words) ? 1 : Math.max(confidence, 0.7) }
  }
  const ofManyBytes = guessManyBytes(bytes)
  if (ofManyBytes !== undefined) return ofManyBytes
  if (hasDosLetters(words))
    throw malformed('The text is in a code page of DOS (437 or 850), which is not read; save it as UTF-8')
  const isLikelyLatin = best !== undefined && best.confidence >= minLatinConfidence
  if (!isLikelyLatin && shareOfWesternLetters(words, 'macintosh') >= minWesternShare)
    return { name: isJapanese(bytes) ? shiftJis : 'macintosh', confidence: 0.7 }
  const others = guesses.filter(({ name }) => name !== western1252)
  const [first = best, second] = others
  if (first !== undefined && first.confidence >= minConfidence) {
    const isClear = first.confidence >= (second?.confidence ?? 0) + scriptMargin
    if (isClear || (isLatin(first.name) && first.confidence > (best?.confidence ?? 0) - latinMargin)) return first
  }
  const names = [first, ...usualEncodings.map((name) => ({ name })), ...others].flatMap((guess) => guess?.name ?? [])
  throw ambiguousEncoding(words, [...new Set(names)])
}

const western1252 = 'windows-1252'
const shiftJis = 'shift_jis'
/** Encodings that are offered in any case. */
const usualEncodings = [western1252, 'windows-1250', 'macintosh']
const minWesternShare = 0.6
const latinMargin = 0.05
const minLatinConfidence = 0.8
const minManyBytesConfidence = 0.9
const maxExaminedBytes = 65_536
const minConfidence = 0.3
const scriptMargin = 0.2
const maxWordBytes = 65_536

/** Returns the words with bytes beyond ASCII, separated by spaces: only they tell an encoding. */
function foreignWords(bytes: Uint8Array): Buffer {
  const words: number[] = []
  let [start, isForeign] = [0, false]
  const isLetter = (byte: number) => byte >= 0x80 || (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a)
  for (let at = 0; at <= bytes.length && words.length < maxWordBytes; at++) {
    const byte = bytes[at] ?? 0x20
    if (isLetter(byte)) {
      isForeign ||= byte >= 0x80
      continue
    }
    if (isForeign) {
      for (let letter = start; letter < Math.min(at, start + maxWordBytes); letter++) words.push(bytes[letter] ?? 0x20)
      words.push(0x20)
    }
    start = at + 1
    isForeign = false
  }
  return Buffer.from(words)
}

const westernLetters = /[äöüÄÖÜßéèêëÉÈÊàâáãÀÂçÇñÑíóúôõîïûùœŒøæåØÆÅÍÓÚ]/g
const westernSigns = /[€‚„…‰‹‘’“”•–—›™\u00a0¡¢£¥§©«®°±²³µ·¹º»¼½¾¿×]/g

/**
 * Returns the share of letters of Western languages in a text; 0 if most stand in rows or without letters of ASCII, as
 * in words of another script.
 */
function shareOfWesternLetters(words: Uint8Array, encoding: string): number {
  const text = new TextDecoder(encoding).decode(words)
  const ofLetters = text.split(' ').filter((word) => /[^\p{ASCII}]{2}/u.test(word.replaceAll(westernSigns, '')))
  if (ofLetters.filter((word) => /[A-Za-z]/.test(word)).length * 2 < ofLetters.length) return 0
  const foreign = text.replaceAll(/\p{ASCII}/gu, '').replaceAll(westernSigns, '')
  const inRows =
    text
      .replaceAll(westernSigns, ' ')
      .match(/[^\p{ASCII}]{3,}/gu)
      ?.join('').length ?? 0
  if (inRows * 2 > foreign.length) return 0
  if (foreign.length === 0) return /\p{L}[„”“‚]\p{L}|(?:(?!\p{ASCII})\S){3}/u.test(text) ? 0 : 1
  return (foreign.match(westernLetters)?.length ?? 0) / foreign.length
}

function guessEncodings(words: Uint8Array, { mayBeCut = false } = {}): Guess[] {
  const guesses = chardet.analyse(words).flatMap(({ name, confidence }): Guess[] => {
    const label = labelOf(name)
    return label === undefined || label.startsWith('utf-') || !canDecode(words, label, mayBeCut)
      ? []
      : [{ name: label, confidence: confidence / 100 }]
  })
  return guesses.filter(({ name }, index) => guesses.findIndex((other) => other.name === name) === index)
}

/**
 * Returns the encoding of a text in which characters take several bytes. It is told from the whole text: the second
 * byte may be an ASCII sign, at which words would be divided.
 */
function guessManyBytes(bytes: Uint8Array): Guess | undefined {
  const beginning = bytes.subarray(0, maxExaminedBytes)
  const ofPairs = guessEuc(beginning)
  if (ofPairs !== undefined) return ofPairs
  // The last character may be cut.
  const guess = guessEncodings(beginning, { mayBeCut: true }).find(({ name }) => manyBytes.has(name))
  if (guess === undefined || guess.confidence < minManyBytesConfidence) return undefined
  const characters = new Set(new TextDecoder(guess.name).decode(beginning).replaceAll(/\p{ASCII}/gu, ''))
  return characters.size < minSureCharacters ? { ...guess, confidence: 0.7 } : guess
}

/**
 * Returns true for Shift-JIS of which few characters are Japanese, as in a table of numbers with Japanese names of its
 * columns. Letters of the Macintosh encoding are read as Japanese too, but they stand between ASCII letters.
 */
function isJapanese(bytes: Uint8Array): boolean {
  const beginning = bytes.subarray(0, maxExaminedBytes)
  if (!canDecode(beginning, shiftJis, true)) return false
  const text = new TextDecoder(shiftJis).decode(beginning, { stream: true })
  const runs = text.match(/[A-Za-z]?[^\p{ASCII}]+[A-Za-z]?/gu) ?? []
  const isRun = (run: string) => /^[\p{scx=Han}\p{scx=Kana}\p{scx=Hira}]+$/u.test(run)
  return runs.some((run) => isRun(run) && run.length > 1) && runs.filter(isRun).length > runs.length * minRuns
}
const minRuns = 0.9

const manyBytes: ReadonlySet<string> = new Set([
  'shift_jis',
  'euc-jp',
  'iso-2022-jp',
  'euc-kr',
  'big5',
  'gb18030',
  'gbk',
])

/** Returns true for a text with 0xA4, the euro sign of ISO-8859-15, and without signs that only Windows-1252 has. */
const hasEuroOfLatin9 = (words: Buffer): boolean =>
  words.includes(0xa4) && !/[\x80-\x9f]/.test(words.toString('latin1'))

const canDecode = (words: Uint8Array, label: string, mayBeCut: boolean): boolean =>
  !unlikelyText.test(new TextDecoder(label).decode(words, { stream: mayBeCut }))

/** Returns true if the letters of a text, such as German, have the same bytes in the relatives of Windows-1252. */
const isSameInRelatives = (words: Uint8Array): boolean =>
  ['windows-1250', 'windows-1254'].every(
    (name) => new TextDecoder(name).decode(words) === new TextDecoder(western1252).decode(words),
  )

/** Bytes without a character, control characters, and signs or capitals within words, as a wrong encoding has them. */
const unlikelyText = /[\ufffd\u0080-\u009f]|\p{Ll}(?:(?!\p{ASCII})\p{Lu}|[¡¢£¤¥¦§¨©«¬®¯±¶¸»¿×÷˘˙˛˝ˇ]\p{L})/u

/** Returns the label of the WHATWG Encoding Standard, undefined for an encoding that cannot be decoded. */
function labelOf(name: string): string | undefined {
  try {
    return new TextDecoder(name).encoding
  } catch {
    return undefined
  }
}

const isLatin = (name: string): boolean => /^(?:windows-125[0478]|iso-8859-(?:2|3|4|9|10|13|14|15|16))$/.test(name)

/** Returns true if bytes of DOS umlauts stand between letters. */
const hasDosLetters = (words: Buffer): boolean => /[A-Za-z][\x81\x84][a-z]/.test(words.toString('latin1'))

const maxReadings = 3
const maxEncodings = 5

function ambiguousEncoding(words: Uint8Array, names: readonly string[]) {
  const readings = names.slice(0, maxEncodings).map((name) => {
    const text = new TextDecoder(name).decode(words.subarray(0, 200)).split(' ').slice(0, maxReadings).join(', ')
    return `${name} reads ${text.slice(0, 100)}`
  })
  const detail = `cannot be told from the text: ${readings.join('; ')}. Set \`format.encoding\`, or save the file as UTF-8`
  return problem('ambiguous_format', { detail: `The encoding ${detail}`, errors: [{ pointer: '/encoding', detail }] })
}
