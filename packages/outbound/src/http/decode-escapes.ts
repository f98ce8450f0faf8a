/** Escape sequences of JSON, of a URL and of HTML, in lower case; white space and the `+` of a form are the rest. */
export const escapes = new RegExp(
  [
    String.raw`\\ud[89ab][\da-f]{2}\\ud[c-f][\da-f]{2}|\\u[\da-f]{4}|(?:%|\\x)[\da-f]{2}`,
    String.raw`&#x0*[\da-f]{1,5};|&#0*\d{1,6};|&(?:amp|lt|gt|quot|apos);|\\[\\/"'bfnrt]|\+`,
  ].join('|'),
  'g',
)
const htmlCharacters: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
/** The first characters of the sequences of each format. */
const formats = ['\\', '%+', '&']
const [maxRounds, maxFormats, maxDecoded] = [5, 3, 4_194_304]

/** A text without some of its escape sequences, and where each of its characters, and its end, is in the text. */
interface Decoding {
  text: string
  at: Uint32Array
}

/** Yields a text of bytes in lower case, as it is and after each of five rounds that decode every escape sequence. */
export function* decodingsOf(bytes: string): Generator<Decoding> {
  const text = bytes.toLowerCase()
  let decoding: Decoding | undefined = { text, at: new Uint32Array(text.length + 1).map((_, index) => index) }
  for (let round = 0; round <= maxRounds && decoding !== undefined; round++) {
    yield decoding
    decoding = decode(decoding, '\\%+&')
  }
}

/**
 * Yields what `decodingsOf` does, and the text after up to three rounds of one format each: characters beside a secret
 * can make a sequence with its ends, which is none in the format that was written. Of long texts with many sequences,
 * yields about 4 MB.
 */
export function* decodingsByFormat(bytes: string): Generator<Decoding> {
  const seen = new Set<string>()
  let [round, size]: [Decoding[], number] = [[], 0]
  for (const decoding of decodingsOf(bytes)) {
    yield decoding
    if (seen.size === 0) round.push(decoding)
    seen.add(decoding.text)
    size += decoding.text.length
  }
  for (let depth = 0; depth < maxFormats; depth++) {
    const next: Decoding[] = []
    for (const decoding of round)
      for (const format of formats) {
        const decoded = size < maxDecoded ? decode(decoding, format) : undefined
        if (decoded === undefined) continue
        next.push(decoded)
        size += decoded.text.length
        if (!seen.has(decoded.text)) yield decoded
        seen.add(decoded.text)
      }
    round = next
  }
}

/** Decodes the sequences that begin with one of the characters. @returns undefined if there are none */
function decode({ text, at }: Decoding, firstCharacters: string): Decoding | undefined {
  const parts: string[] = []
  const positions = new Uint32Array(at.length)
  let [start, length] = [0, 0]
  for (const { 0: sequence, index } of text.matchAll(escapes)) {
    if (!firstCharacters.includes(sequence.charAt(0))) continue
    const plain = characterOf(sequence).toLowerCase()
    parts.push(text.slice(start, index), plain)
    for (; start < index; start++) positions[length++] = at[start] ?? 0
    for (let unit = 0; unit < plain.length; unit++) positions[length++] = at[index] ?? 0
    start = index + sequence.length
  }
  if (start === 0) return undefined
  positions.set(at.subarray(start), length)
  const decoded = parts.join('') + text.slice(start)
  return { text: decoded, at: positions.subarray(0, decoded.length + 1) }
}

/** Returns the bytes of an escaped character, which are no more than those of its sequence. */
function characterOf(sequence: string): string {
  if (sequence.startsWith('&#')) return bytesOfCode(Number(sequence.replace('&#', '0').slice(0, -1)))
  if (sequence.startsWith('&')) return htmlCharacters[sequence.slice(1, -1)] ?? ''
  if (/^(?:%|\\x)/.test(sequence)) return String.fromCharCode(Number(`0x${sequence.slice(-2)}`))
  if (sequence.startsWith('\\u')) return bytesOf(JSON.parse(`"${sequence}"`))
  return /^\\[\\/"']/.test(sequence) ? sequence.slice(1) : ' '
}

const bytesOfCode = (code: number): string => bytesOf(code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd')

/** Returns the UTF-8 bytes of a text, each as a character. */
export const bytesOf = (text: string): string => Buffer.from(text).toString('latin1')
