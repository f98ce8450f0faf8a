import { maskedValue } from '@wp/contracts'
import { bytesOf, decodingsByFormat, decodingsOf, escapes } from './decode-escapes.ts'

/** Shorter texts are not redacted: they occur in ordinary text. */
const minSecretLength = 8

/**
 * Returns the texts of a request header that must not be recorded: its value, the part after a scheme such as `Bearer`,
 * and the decoded name and password of Basic credentials.
 */
export function secretsOfHeader(value: string): string[] {
  const [, scheme, token] = /^(\S+) +(.+)$/.exec(value) ?? []
  if (token === undefined) return [value]
  if (scheme?.toLowerCase() !== 'basic') return [value, token]
  const decoded = Buffer.from(token, 'base64').toString('utf8')
  return [value, token, ...encodings.map((encode) => encode(decoded)), decoded.slice(decoded.indexOf(':') + 1)]
}

/** Encodings in which servers repeat credentials: as they are, and in the variants of Base64. */
const encodings: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => Buffer.from(text).toString('base64'),
  (text) => Buffer.from(text).toString('base64').replace(/=+$/, ''),
  (text) => Buffer.from(text).toString('base64url'),
]

/** Shortest secret of an integration that is redacted: it is certainly none of the ordinary values of a header. */
const minIntegrationSecretLength = 4

/**
 * Returns the function that replaces the secrets of an integration in texts of its server, also as Base64 and, with a
 * user, as the credentials of HTTP Basic and SMTP (RFC 4616). Does not find them in Base64 of a longer text, or in
 * other encodings.
 */
export function redactIntegrationSecrets(
  values: readonly string[],
  { user, isTruncated = false }: { user?: string | undefined; isTruncated?: boolean } = {},
): (text: string) => string {
  const prefixes = user === undefined ? [''] : ['', `${user}:`, `\0${user}\0`]
  const encoded = values.flatMap((value) =>
    value === ''
      ? []
      : prefixes.flatMap((prefix) =>
          encodings.map((encode) => ({ text: encode(prefix + value), shown: encode(prefix) })),
        ),
  )
  const headers = values.flatMap(secretsOfHeader).map((value) => ({ text: value, shown: '' }))
  const options = { mask: '[secret]', minLength: minIntegrationSecretLength, isTruncated }
  return createReplacement([...encoded, ...headers], options)
}

interface RedactionOptions {
  /** True if the text ends within the response: then the beginning of a secret at its end is replaced too. */
  isTruncated?: boolean
  mask?: string
  /** Shortest text that is redacted. Default 8. */
  minLength?: number
}

/**
 * Returns the function that replaces the secrets that a server repeats in its response, also where it escapes them for
 * JSON, HTML, a URL or a form, several times or in part, and in letters of the other case. Replaces whole escape
 * sequences, so that JSON stays JSON. Takes time in proportion to the text and to the number of secrets, whatever they
 * contain.
 */
export const redactSecrets = (secrets: readonly string[], options: RedactionOptions = {}): ((text: string) => string) =>
  createReplacement(
    secrets.map((secret) => ({ text: secret, shown: '' })),
    options,
  )

/** A secret, of which the beginning alone may be shown. */
interface Secret {
  text: string
  shown: string
}

function createReplacement(
  secrets: readonly Secret[],
  { isTruncated = false, mask = maskedValue, minLength = minSecretLength }: RedactionOptions,
): (text: string) => string {
  const searched = new Map<string, number>()
  for (const secret of secrets)
    for (const { text: form } of decodingsOf(bytesOf(secret.text)))
      if (Math.min(form.length, secret.text.length) >= minLength)
        searched.set(form, Math.max(minLength, minSecretLength, bytesOf(secret.shown).length + 1))
  return (text) => (searched.size === 0 ? text : replaceForms(text, searched, { isTruncated, mask }))
}

/** @param searched the forms of the secrets, and the shortest beginning of each that is replaced at the end */
function replaceForms(
  text: string,
  searched: ReadonlyMap<string, number>,
  { isTruncated, mask }: Required<Pick<RedactionOptions, 'isTruncated' | 'mask'>>,
): string {
  const bytes = bytesOf(text)
  // The number of occurrences that begin at a byte, without those that end there
  const changes = new Int32Array(bytes.length + 1)
  let isFound = false
  for (const { text: decoded, at } of decodingsByFormat(bytes)) {
    const add = (position: number, change: number) => {
      const index = at[position] ?? 0
      changes[index] = (changes[index] ?? 0) + change
      isFound = true
    }
    for (const [form, minCut] of searched)
      findOccurrences(decoded, form, isTruncated ? minCut : Number.POSITIVE_INFINITY, (start, end) => {
        add(start, 1)
        add(end, -1)
      })
  }
  return isFound ? maskBytes(bytes, changes, mask) : text
}

function maskBytes(bytes: string, changes: Int32Array, mask: string): string {
  let depth = 0
  const isHidden = changes.map((change) => {
    depth += change
    return depth > 0 ? 1 : 0
  })
  for (const { 0: sequence, index } of bytes.toLowerCase().matchAll(escapes))
    if (isHidden.subarray(index, index + sequence.length).includes(1)) isHidden.fill(1, index, index + sequence.length)
  const parts: string[] = []
  for (let start = 0, end = 0; start < bytes.length; start = end) {
    end = isHidden.indexOf(isHidden[start] === 1 ? 0 : 1, start)
    if (end < 0) end = bytes.length
    parts.push(isHidden[start] === 1 ? mask : bytes.slice(start, end))
  }
  return Buffer.from(parts.join(''), 'latin1').toString()
}

/** The end of a text that was cut within a character or an escape sequence. */
const cutSequence = /(?:\xef\xbf\xbd){0,3}(?:\\[ux]?[\da-f]{0,3}|%[\da-f]?|&#?\w{0,6})?$/

/**
 * Reports the occurrences of a secret in a text, and its beginning of at least `minCut` bytes at the end of the text;
 * in linear time (Knuth, Morris and Pratt 1977).
 */
function findOccurrences(
  text: string,
  secret: string,
  minCut: number,
  report: (start: number, end: number) => void,
): void {
  // The longest beginning of the secret that ends each beginning of it
  const borders = new Int32Array(secret.length)
  const step = (matched: number, code: number): number => {
    let length = matched
    while (length > 0 && secret.charCodeAt(length) !== code) length = borders[length - 1] ?? 0
    return secret.charCodeAt(length) === code ? length + 1 : 0
  }
  for (let index = 1; index < secret.length; index++)
    borders[index] = step(borders[index - 1] ?? 0, secret.charCodeAt(index))
  const tail = text.slice(-16)
  const cutAt = text.length - (cutSequence.exec(tail)?.[0].length ?? 0)
  let matched = 0
  for (let index = 0; index < text.length; index++) {
    if (index === cutAt && matched >= minCut) report(index - matched, text.length)
    matched = step(matched, text.charCodeAt(index))
    if (matched === secret.length) report(index + 1 - matched, index + 1)
  }
  if (matched >= minCut) report(text.length - matched, text.length)
}
