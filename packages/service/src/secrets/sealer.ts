import { createCipheriv, createDecipheriv, createHash, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'

/** Seals secrets at rest. */
export interface Sealer {
  /** Seals text, bound to what it belongs to. The result is printable and names the key. */
  seal(plain: string, belongsTo: string): string
  /** Opens what was sealed for the same `belongsTo`. @throws when the key is gone or a byte was changed */
  open(sealed: string, belongsTo: string): string
  /** Whether a sealed value should be sealed again, because the key has been replaced since. */
  isStale(sealed: string): boolean
  /** What a value begins with that was sealed under the key before this one; undefined where there is none. */
  previousKeyPrefix: string | undefined
}

interface Kek {
  id: string
  /** Not its bytes, which Node would look at anew, for longer than the cipher takes, each time. */
  key: KeyObject
}

/**
 * AES-256-GCM (NIST SP 800-38D, 96-bit random nonce) under the key-encryption key; `belongsTo` is authenticated, so that
 * a sealed value moved to another row does not open.
 * @param kek base64 of 32 bytes; `previous` opens what was sealed before a rotation
 */
export function createSealer(kek: string, previous?: string): Sealer {
  const current = keyOf(kek)
  const before = previous === undefined ? undefined : keyOf(previous)
  const keys = new Map([current, ...(before === undefined ? [] : [before])].map((key) => [key.id, key]))
  return {
    seal(plain, belongsTo) {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', current.key, nonce).setAAD(Buffer.from(belongsTo))
      const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return ['v1', current.id, Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')].join('.')
    },
    open(sealed, belongsTo) {
      const [version, keyId, payload] = sealed.split('.')
      const key = keys.get(keyId ?? '')
      if (version !== 'v1' || key === undefined || payload === undefined)
        throw new Error(`sealed under an unknown key: ${keyId}`)
      const bytes = Buffer.from(payload, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', key.key, bytes.subarray(0, 12), { authTagLength: 16 })
        .setAAD(Buffer.from(belongsTo))
        .setAuthTag(bytes.subarray(12, 28))
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
    },
    isStale: (sealed) => sealed.split('.')[1] !== current.id,
    previousKeyPrefix: before === undefined || before.id === current.id ? undefined : `v1.${before.id}.`,
  }
}

function keyOf(base64: string): Kek {
  const bytes = Buffer.from(base64, 'base64')
  return { id: createHash('sha256').update(bytes).digest('hex').slice(0, 8), key: createSecretKey(bytes) }
}
