/** Values of an exchange that differ from run to run, or are secret, and what examples have instead. */
const replacements: readonly [RegExp, string | ((...groups: string[]) => string)][] = [
  [/https?:\/\/(?:127\.0\.0\.1|localhost|\[::1\]):\d+/g, 'https://api.example.com'],
  [/\b(?:127\.0\.0\.1|localhost):\d+/g, 'api.example.com'],
  [/key_[a-z0-9]+\.[A-Z]+\.[A-Za-z0-9_]+\.[0-9a-f-]{36}/g, 'key_<shard>.<location>.<workspace>.<uuid>'],
  [/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, '<token>'],
  [/\b([a-z]{2,5})_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g, (_, prefix) => `${prefix}_01h455vb4pex5vsknk084sn02q`],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '2026-01-05T09:30:00.000Z'],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '6f1c7f3e-8f0b-4c58-9f0e-3b1f3c6a2d10'],
  [/\b[0-9a-f]{64}\b/g, '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
  [/\/portal\/[a-z0-9]+\./g, '/portal/eu1.'],
  [/\bresource \d+\b/g, 'Example'],
]

const secretName = /^(?:.*_token|token|.*secret|api_key|password|code|login_code|x|y|kid|last4)$/
const opaqueName = /^(?:next_cursor|cursor|head|signature)$/
/** Codes of errors have names; those of mails have digits. */
const isErrorCode = (text: string) => /^[a-z_]+$/.test(text)

/** Longest text and list in an example. */
const [maxText, maxItems] = [1_500, 2]

/** Returns a value of an exchange as an example shows it: without secrets, and the same in every run. */
export function redact(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return redactText(value, name)
  if (Array.isArray(value)) return value.slice(0, maxItems).map((member) => redact(member, name))
  if (typeof value !== 'object' || value === null) return /_ms$|^duration/.test(name) && value !== null ? 12 : value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, redact(member, key)]))
}

function redactText(text: string, name: string): string {
  if (secretName.test(name) && !isErrorCode(text)) return `<${name}>`
  if (opaqueName.test(name)) return `<${name}>`
  let redacted = text
  for (const [pattern, replacement] of replacements) redacted = redacted.replaceAll(pattern, replacement as string) // a function is also accepted
  if (name === 'until') redacted = redacted.replace('2026-01-05T', '2026-01-06T') // a range is not empty
  return redacted.length > maxText ? `${redacted.slice(0, maxText)}…` : redacted
}
