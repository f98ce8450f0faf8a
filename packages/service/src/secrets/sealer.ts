import { createCipheriv, createDecipheriv, createHash, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'

/** Encrypts secrets at rest with authenticated encryption. */
export interface Sealer {
  /** Encrypts text. The result is printable and contains the id of the key; `associatedData` is authenticated. */
  seal(plaintext: string, associatedData: string): string
  /** Decrypts a sealed value. @throws if the key is unknown, or value or associated data were changed */
  open(sealed: string, associatedData: string): string
  /** Returns true if a value is sealed under another key than the current one. */
  isStale(sealed: string): boolean
  /** Prefix of the values sealed under the previous key; undefined if there is no previous key. */
  previousKeyPrefix: string | undefined
}

interface Kek {
  id: string
  /** A key object: Node.js would import raw bytes for each value, which takes longer than the cipher. */
  key: KeyObject
}

/**
 * Creates a sealer with AES-256-GCM (NIST SP 800-38D, 96-bit random nonce). The associated data identifies the owner of
 * a value, so that a value copied to another row cannot be decrypted.
 * @param kek the key-encryption key, base64 of 32 bytes
 * @param previous the key-encryption key before a rotation; only decrypts
 */
export function createSealer(kek: string, previous?: string): Sealer {
  const current = keyOf(kek)
  const older = previous === undefined ? undefined : keyOf(previous)
  const keys = new Map([current, ...(older === undefined ? [] : [older])].map((key) => [key.id, key]))
  return {
    seal(plaintext, associatedData) {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', current.key, nonce).setAAD(Buffer.from(associatedData))
      const sealed = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()])
      return ['v1', current.id, Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')].join('.')
    },
    open(sealed, associatedData) {
      const [version, keyId, payload] = sealed.split('.')
      const key = keys.get(keyId ?? '')
      if (version !== 'v1' || key === undefined || payload === undefined)
        throw new Error(`sealed under an unknown key: ${keyId}`)
      const bytes = Buffer.from(payload, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', key.key, bytes.subarray(0, 12), { authTagLength: 16 })
        .setAAD(Buffer.from(associatedData))
        .setAuthTag(bytes.subarray(12, 28))
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
    },
    isStale: (sealed) => sealed.split('.')[1] !== current.id,
    previousKeyPrefix: older === undefined || older.id === current.id ? undefined : `v1.${older.id}.`,
  }
}

function keyOf(base64: string): Kek {
  const bytes = Buffer.from(base64, 'base64')
  return { id: createHash('sha256').update(bytes).digest('hex').slice(0, 8), key: createSecretKey(bytes) }
}
