import { createHmac, hkdfSync } from 'node:crypto'

/** HMAC keys derived from the key-encryption key (KEK), one per purpose. They never leave the service. */
export interface DerivedKeys {
  /** Returns the HMAC-SHA-256 of a text with the key of a purpose, base64url. */
  mac(purpose: string, text: string): string
  /**
   * Returns the HMACs with the current and the previous key, current first, to recognize values from before a rotation.
   */
  macsUnderAllKeys(purpose: string, text: string): string[]
}

/** Derives keys from the KEK. @param kek base64 of 32 bytes @param previous the KEK before the last rotation */
export function createDerivedKeys(kek: string, previous?: string): DerivedKeys {
  const keyEncryptionKeys = [kek, ...(previous === undefined ? [] : [previous])].map((key) =>
    Buffer.from(key, 'base64'),
  )
  const keysByPurpose = new Map<string, Buffer[]>()

  function keysFor(purpose: string): Buffer[] {
    const cached = keysByPurpose.get(purpose)
    if (cached !== undefined) return cached
    // HKDF-SHA-256 (RFC 5869). The KEK is random, so no salt is needed.
    const keys = keyEncryptionKeys.map((key) => Buffer.from(hkdfSync('sha256', key, '', `wp.auth/${purpose}`, 32)))
    keysByPurpose.set(purpose, keys)
    return keys
  }

  const macsUnderAllKeys = (purpose: string, text: string) =>
    keysFor(purpose).map((key) => createHmac('sha256', key).update(text).digest('base64url'))
  return { macsUnderAllKeys: macsUnderAllKeys, mac: (purpose, text) => macsUnderAllKeys(purpose, text)[0] ?? '' }
}
