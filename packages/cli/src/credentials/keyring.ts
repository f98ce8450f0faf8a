/** Name under which the keyring of the operating system lists the entries. */
const service = 'wp'

/** Returns the entry of a platform; undefined if there is none. @throws Error if there is no keyring */
export async function readFromKeyring(baseUrl: string): Promise<string | undefined> {
  const entry = await openEntry(baseUrl)
  return (await entry.getPassword()) ?? undefined
}

/** Returns false if this machine has no usable keyring, as most servers and containers. */
export async function writeToKeyring(baseUrl: string, secret: string): Promise<boolean> {
  try {
    const entry = await openEntry(baseUrl)
    await entry.setPassword(secret)
    return (await entry.getPassword()) === secret
  } catch {
    return false
  }
}

export async function removeFromKeyring(baseUrl: string): Promise<void> {
  const entry = await openEntry(baseUrl)
  await entry.deletePassword()
}

async function openEntry(baseUrl: string) {
  const { AsyncEntry } = await import('@napi-rs/keyring')
  // The kernel's keyring, the other one of Linux, does not outlive the user's sessions.
  return new AsyncEntry(service, baseUrl, { linux: { store: 'secret-service' } })
}
