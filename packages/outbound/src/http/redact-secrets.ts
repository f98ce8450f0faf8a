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

interface RedactionOptions {
  /** True if the text ends within the response: then the beginning of a secret at its end is replaced too. */
  isTruncated?: boolean
  mask?: string
  /** Shortest text that is redacted. Default 8. */
  minLength?: number
}

/**
 * Replaces the secrets that a server repeats in its response, also where it escapes their characters for JSON, HTML, a
 * URL or a form, more than once or only some of them, and in letters of the other case.
 */
export function redactSecrets(
  text: string,
  secrets: readonly string[],
  { isTruncated = false, mask = '********', minLength = minSecretLength }: RedactionOptions = {},
): string {
  const found = [...new Set(secrets)]
    .filter(({ length }) => length >= minLength)
    .flatMap((secret) => rangesOf(text, [...secret].map(spellingsOf), minLength, isTruncated))
    .sort((one, other) => one.start - other.start)
  let redacted = ''
  let end = 0
  for (const range of found) {
    if (range.start >= end) redacted += text.slice(end, range.start) + mask
    end = Math.max(end, range.end)
  }
  return redacted + text.slice(end)
}

interface Range {
  start: number
  end: number
}

/** Finds the beginnings of a secret and follows each to its end, or to the end of a truncated text. */
function rangesOf(text: string, spellings: readonly string[], minLength: number, isTruncated: boolean): Range[] {
  const beginning = new RegExp(spellings.slice(0, minLength).join(''), 'gi')
  const rest = spellings.slice(minLength).map((spelling) => new RegExp(spelling, 'iy'))
  return [...text.matchAll(beginning)].flatMap(({ index, 0: matched }) => {
    let end = index + matched.length
    for (const spelling of rest) {
      spelling.lastIndex = end
      if (!spelling.test(text)) {
        const isCut = isTruncated && /^(?:[\\%&][\w#;]{0,7})?$/.test(text.slice(end))
        return isCut ? [{ start: index, end: text.length }] : []
      }
      end = spelling.lastIndex
    }
    return [{ start: index, end }]
  })
}

const htmlNames: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' }

/** Returns a pattern of the forms of a character, each escaped again up to four times. */
function spellingsOf(char: string): string {
  const code = char.codePointAt(0) ?? 0
  const units = Array.from({ length: char.length }, (_, at) => char.charCodeAt(at).toString(16).padStart(4, '0'))
  const bytes = Buffer.from(char).toString('hex').match(/../g) ?? []
  const name = htmlNames[char] ?? ''
  return `(?:${[
    char === '\\' ? String.raw`\\{1,16}` : String.raw`\\{0,15}${char.replace(/[\^$.*+?()[\]{}|/-]/, String.raw`\$&`)}`,
    units.map((unit) => String.raw`\\{1,15}u${unit}`).join(''),
    String.raw`\\{1,15}x${code.toString(16).padStart(2, '0')}`,
    bytes.map((byte) => `%(?:25){0,3}${byte}`).join(''),
    `&(?:amp;){0,3}(?:#0{0,5}${code}|#x0{0,5}${code.toString(16)}${name && `|${name}`});`,
    ...(char === ' ' ? [String.raw`\+`] : []),
  ].join('|')})`
}
