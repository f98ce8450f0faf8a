/** Shorter secrets are left as they are: they would match ordinary words. */
const minSecretLength = 4

/**
 * Creates a function that removes secrets from a text, also in the forms in which a server may echo them:
 * percent-encoded, in a JSON string, and as Base64 of user name and password.
 */
export function createRedaction(secrets: Readonly<Record<string, string>>): (text: string) => string {
  const { username = '', password = '' } = secrets
  const values = Object.values(secrets).filter(({ length }) => length >= minSecretLength)
  const basic = username === '' ? [] : [Buffer.from(`${username}:${password}`).toString('base64')]
  const forms = [...values, ...basic].flatMap((value) => [
    value,
    encodeURIComponent(value),
    JSON.stringify(value).slice(1, -1),
    Buffer.from(value).toString('base64'),
  ])
  // The longest first: a secret may be part of another.
  const sorted = [...new Set(forms)].toSorted((a, b) => b.length - a.length)
  return (text) => sorted.reduce((rest, form) => rest.replaceAll(form, '[secret]'), text)
}
