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
  return [value, token, decoded, decoded.slice(decoded.indexOf(':') + 1)]
}

/** Shortest secret of an integration that is redacted: it is certainly none of the ordinary values of a header. */
const minIntegrationSecretLength = 4

/**
 * Replaces the secrets of an integration in a text of its server, also as Base64 and, with a user, as the credentials
 * of HTTP Basic and SMTP (RFC 4616). The text may have been cut off.
 */
export function redactIntegrationSecrets(text: string, values: readonly string[], user?: string): string {
  const pairs = user === undefined ? [] : values.flatMap((value) => [`${user}:${value}`, `\0${user}\0${value}`])
  const forms = [...values, ...pairs]
    .filter(({ length }) => length >= minIntegrationSecretLength)
    .flatMap((value) => [...secretsOfHeader(value), Buffer.from(value).toString('base64')])
  return redactSecrets(text, forms, { mask: '[secret]', minLength: minIntegrationSecretLength, isTruncated: true })
}

interface RedactionOptions {
  /** True if the text ends within the response: then the beginning of a secret at its end is replaced too. */
  isTruncated?: boolean
  mask?: string
  /** Shortest text that is redacted. Default 8. */
  minLength?: number
}

/**
 * Replaces the secrets that a server repeats in its response, also where it escapes them for JSON, HTML, a URL or a
 * form, several times or in part, and in letters of the other case. Replaces whole escape sequences, so that JSON stays
 * JSON.
 */
export function redactSecrets(
  text: string,
  secrets: readonly string[],
  { isTruncated = false, mask = '********', minLength = minSecretLength }: RedactionOptions = {},
): string {
  const searched = [...new Set(secrets)].filter(({ length }) => length >= minLength)
  if (searched.length === 0) return text
  const bytes = bytesOf(text)
  const { text: plain, at } = withoutEscapes(bytes)
  const found = searched
    .map((secret) => withoutEscapes(bytesOf(secret)).text)
    .flatMap((secret) => [
      ...rangesOf(plain, secret),
      ...(isTruncated ? cutRange(plain, secret, Math.max(minLength, minSecretLength)) : []),
    ])
    .sort(([one], [other]) => one - other)
  if (found.length === 0) return text
  let redacted = ''
  let end = 0
  for (const [start, until] of found) {
    if ((at[start] ?? 0) >= end) redacted += bytes.slice(end, at[start]) + mask
    end = Math.max(end, at[until] ?? 0)
  }
  return Buffer.from(redacted + bytes.slice(end), 'latin1').toString()
}

/** From the first position up to, but not including, the second. */
type Range = [start: number, end: number]

function* rangesOf(text: string, secret: string): Generator<Range> {
  for (let start = text.indexOf(secret); start >= 0; start = text.indexOf(secret, start + 1))
    yield [start, start + secret.length]
}

/** Returns the range of the beginning of a secret at the end of a text, which may be cut within an escape sequence. */
function cutRange(text: string, secret: string, minLength: number): Range[] {
  const ends = [text, text.replace(/(?:\\u?[\da-f]{0,3}|%[\da-f]?|&#?\w{0,6})$/, '')]
  for (let length = secret.length - 1; length >= minLength; length--)
    for (const end of ends) if (end.endsWith(secret.slice(0, length))) return [[end.length - length, text.length]]
  return []
}

/** Escape sequences of JSON, of a URL and of HTML, in lower case; white space and the `+` of a form are the rest. */
const escapes = new RegExp(
  [
    String.raw`\\u(?<high>d[89ab][\da-f]{2})\\u(?<low>d[c-f][\da-f]{2})|\\u(?<unit>[\da-f]{4})`,
    String.raw`(?:%|\\x)(?<byte>[\da-f]{2})`,
    String.raw`&#x0*(?<hex>[\da-f]{1,5});|&#0*(?<decimal>\d{1,6});|&(?<name>amp|lt|gt|quot|apos);`,
    String.raw`\\(?<literal>[\\/"'])|\\[bfnrt]|\+`,
  ].join('|'),
  'g',
)
const htmlCharacters: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const maxRounds = 5

/**
 * Returns a text of bytes in lower case without escape sequences, and the position in the text of each of its
 * characters and of its end.
 */
function withoutEscapes(bytes: string): { text: string; at: readonly number[] } {
  let text = bytes.toLowerCase()
  let at = Array.from({ length: text.length + 1 }, (_, index) => index)
  for (let round = 0; round < maxRounds; round++) {
    const parts: string[] = []
    const positions: number[] = []
    let start = 0
    for (const { 0: sequence, index, groups = {} } of text.matchAll(escapes)) {
      const plain = characterOf(groups).toLowerCase()
      parts.push(text.slice(start, index), plain)
      for (; start < index; start++) positions.push(at[start] ?? 0)
      for (let unit = 0; unit < plain.length; unit++) positions.push(at[index] ?? 0)
      start = index + sequence.length
    }
    if (start === 0) break
    text = parts.join('') + text.slice(start)
    for (; start < at.length; start++) positions.push(at[start] ?? 0)
    at = positions
  }
  return { text, at }
}

/** Returns the bytes of an escaped character. */
function characterOf(groups: Readonly<Record<string, string | undefined>>): string {
  const { high, low, unit, byte, hex, decimal, name, literal } = groups
  if (literal !== undefined) return literal
  if (name !== undefined) return htmlCharacters[name] ?? ''
  if (byte !== undefined) return String.fromCharCode(Number(`0x${byte}`))
  if (high !== undefined) return bytesOf(String.fromCharCode(Number(`0x${high}`), Number(`0x${low}`)))
  const code = Number(decimal ?? `0x${unit ?? hex ?? '20'}`)
  return bytesOf(code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd')
}

const bytesOf = (text: string): string => Buffer.from(text).toString('latin1')
