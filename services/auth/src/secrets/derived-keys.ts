import { createHmac, hkdfSync } from 'node:crypto'

/** Keys that never leave the service: each derived, for its purpose, from the key-encryption key. */
export interface DerivedKeys {
  /** HMAC-SHA-256 of a text under the key of a purpose, base64url. */
  mac(purpose: string, text: string): string
  /** The same under every key that is still known, the current one first: what was made before a rotation is found. */
  macsUnderAllKeys(purpose: string, text: string): string[]
}

/** @param kek base64 of 32 bytes; `previous` knows again what was made before a rotation */
export function createDerivedKeys(kek: string, previous?: string): DerivedKeys {
  const keyEncryptionKeys = [kek, ...(previous === undefined ? [] : [previous])].map((key) =>
    Buffer.from(key, 'base64'),
  )
  const keysByPurpose = new Map<string, Buffer[]>()

  function keysFor(purpose: string): Buffer[] {
    const cached = keysByPurpose.get(purpose)
    if (cached !== undefined) return cached
    // HKDF-SHA-256 (RFC 5869); the root is random already, so it needs no salt
    const keys = keyEncryptionKeys.map((root) => Buffer.from(hkdfSync('sha256', root, '', `wp.auth/${purpose}`, 32)))
    keysByPurpose.set(purpose, keys)
    return keys
  }

  const macs = (purpose: string, text: string) =>
    keysFor(purpose).map((key) => createHmac('sha256', key).update(text).digest('base64url'))
  return { macsUnderAllKeys: macs, mac: (purpose, text) => macs(purpose, text)[0] ?? '' }
}
