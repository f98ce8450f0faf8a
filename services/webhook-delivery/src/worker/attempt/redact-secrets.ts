/** Shorter texts are not redacted: they occur in ordinary text. */
const minSecretLength = 8
const mask = '********'

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

/**
 * Replaces the secrets that a receiver repeats in its response, also as JSON or a URL spells them.
 * @param isTruncated true if the text ends within the response: then the beginning of a secret at its end is replaced
 *   too
 */
export function redactSecrets(text: string, secrets: readonly string[], isTruncated = false): string {
  const spellings = new Set(secrets.filter(({ length }) => length >= minSecretLength).flatMap(spellingsOf))
  // The longest first: a secret may contain another one.
  const ordered = [...spellings].sort((one, other) => other.length - one.length)
  const redacted = ordered.reduce((rest, secret) => rest.replaceAll(secret, mask), text)
  return isTruncated ? redactEnd(redacted, ordered) : redacted
}

const spellingsOf = (secret: string): string[] => [
  secret,
  JSON.stringify(secret).slice(1, -1),
  encodeURIComponent(secret.toWellFormed()),
]

function redactEnd(text: string, secrets: readonly string[]): string {
  for (const secret of secrets)
    for (let length = secret.length - 1; length >= minSecretLength; length--)
      if (text.endsWith(secret.slice(0, length))) return text.slice(0, -length) + mask
  return text
}
