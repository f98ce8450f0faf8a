type Strings = Readonly<Record<string, string>>

/**
 * Returns the header fields of an integration of the provider `http`: those of its configuration, its secret ones
 * (`headers.<Name>`), and `Authorization` by its token or by user name and password. Names are in lower case, so that
 * no field is sent twice because two places spell it differently.
 */
export function integrationHeaders(config: Readonly<Record<string, unknown>>, secrets: Strings): Strings {
  const plain = Object.entries(config.headers ?? {}).map(([name, value]) => [name, String(value)] as const)
  const named = [...plain, ...Object.entries(secretHeaders(secrets))]
  return { ...Object.fromEntries(named.map(([name, value]) => [name.toLowerCase(), value])), ...authorization(secrets) }
}

/** Returns the secret header fields among the secrets, as their names are written. */
export const secretHeaders = (secrets: Strings): Strings =>
  Object.fromEntries(
    Object.entries(secrets)
      .filter(([name]) => name.startsWith('headers.'))
      .map(([name, value]) => [name.slice('headers.'.length), value]),
  )

function authorization({ token, username, password = '' }: Strings): Strings {
  if (token !== undefined) return { authorization: `Bearer ${token}` }
  if (username === undefined) return {}
  return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` }
}
