/** Returns the header fields of an `http` integration, as the integrations service sends them when it tests one. */
export function integrationHeaders(
  config: Readonly<Record<string, unknown>>,
  secrets: Readonly<Record<string, string>>,
): Record<string, string> {
  const plain = Object.entries(config.headers ?? {}).map(([name, value]): [string, string] => [name, String(value)])
  const secret = Object.entries(secrets)
    .filter(([name]) => name.startsWith('headers.'))
    .map(([name, value]): [string, string] => [name.slice('headers.'.length), value])
  const named = [...plain, ...secret].map(([name, value]): [string, string] => [name.toLowerCase(), value])
  return { ...Object.fromEntries(named), ...authorizationOf(secrets) }
}

function authorizationOf({ token, username, password = '' }: Readonly<Record<string, string>>): Record<string, string> {
  if (token !== undefined) return { authorization: `Bearer ${token}` }
  if (username === undefined) return {}
  return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` }
}
