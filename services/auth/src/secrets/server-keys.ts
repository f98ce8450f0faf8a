import { createHmac, hkdfSync } from 'node:crypto'

/** Keys that never leave the service: each derived, for its purpose, from the key-encryption key. */
export interface ServerKeys {
  /** HMAC-SHA-256 of a text under the key of a purpose, base64url. */
  mac(purpose: string, text: string): string
  /** The same under every key that is still known, the current one first: what was made before a rotation is found. */
  macs(purpose: string, text: string): string[]
}

/** @param kek base64 of 32 bytes; `previous` knows again what was made before a rotation */
export function createServerKeys(kek: string, previous?: string): ServerKeys {
  const roots = [kek, ...(previous === undefined ? [] : [previous])].map((key) => Buffer.from(key, 'base64'))
  const derived = new Map<string, Buffer[]>()

  function keysFor(purpose: string): Buffer[] {
    const found = derived.get(purpose)
    if (found !== undefined) return found
    // HKDF-SHA-256 (RFC 5869); the root is random already, so it needs no salt
    const made = roots.map((root) => Buffer.from(hkdfSync('sha256', root, '', `wp.auth/${purpose}`, 32)))
    derived.set(purpose, made)
    return made
  }

  const macs = (purpose: string, text: string) =>
    keysFor(purpose).map((key) => createHmac('sha256', key).update(text).digest('base64url'))
  return { macs, mac: (purpose, text) => macs(purpose, text)[0] ?? '' }
}
