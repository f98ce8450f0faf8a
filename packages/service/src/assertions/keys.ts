import { readFile, stat } from 'node:fs/promises'
import { isSigner, type SignerName } from '@wp/contracts'
import { type CryptoKey, calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'

/** A key as it lies in a file: a JWK that also names its signer. */
export type SignerJwk = JWK & { iss?: string }

/** A private key of one signer, as it lies in `ASSERTION_KEY_FILE`. */
export interface SigningKey {
  kid: string
  issuer: SignerName
  key: CryptoKey
}

/** The public keys of all signers, as they lie in `ASSERTION_KEYS_FILE`; each is bound to one issuer. */
export interface KeyRing {
  find(kid: string): Promise<{ issuer: SignerName; key: CryptoKey } | undefined>
}

/** Makes a key pair for a signer: the private JWK and its public half, both naming the issuer. ES256. */
export async function createAssertionKey(issuer: SignerName): Promise<{ privateJwk: SignerJwk; publicJwk: SignerJwk }> {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
  const [privateJwk, publicJwk] = await Promise.all([exportJWK(privateKey), exportJWK(publicKey)])
  const about = {
    kid: `${issuer}-${(await calculateJwkThumbprint(publicJwk)).slice(0, 12)}`,
    alg: 'ES256',
    use: 'sig',
    iss: issuer,
  }
  return { privateJwk: { ...privateJwk, ...about }, publicJwk: { ...publicJwk, ...about } }
}

/** Reads a signer's private key. @throws naming the file when it holds no usable key of that signer */
export async function readSigningKey(file: string, issuer: SignerName): Promise<SigningKey> {
  const jwk = await readJson<SignerJwk>(file)
  if (jwk.iss !== issuer || typeof jwk.kid !== 'string') throw new Error(`${file}: not a key of ${issuer}`)
  return { kid: jwk.kid, issuer, key: await publicOrPrivate(jwk) }
}

/** How long a change of the file may go unnoticed where no unknown key gives a hint, in milliseconds. */
const reloadIntervalMs = 10_000

/**
 * Opens the key ring. A key id it does not know makes it look at the file at once, so that a rotation needs no restart;
 * otherwise it looks every ten seconds, so that a key that was dropped is soon no longer trusted.
 * @param now milliseconds since 1970
 */
export async function openKeyRing(file: string, now: () => number = Date.now): Promise<KeyRing> {
  let changedAt = await changeTime(file)
  let keys = await readKeys(file)
  let lookedAt = now()

  async function look(): Promise<void> {
    lookedAt = now()
    const changed = await changeTime(file)
    if (changed === changedAt) return
    keys = await readKeys(file)
    changedAt = changed
  }

  return {
    async find(kid) {
      // a file that cannot be read now does not take the keys away that it held
      if (now() - lookedAt > reloadIntervalMs) await look().catch(() => undefined)
      if (!keys.has(kid)) await look()
      return keys.get(kid)
    },
  }
}

const changeTime = async (file: string): Promise<bigint> => (await stat(file, { bigint: true })).mtimeNs

async function readKeys(file: string) {
  const { keys } = await readJson<{ keys?: SignerJwk[] }>(file)
  if (!Array.isArray(keys)) throw new Error(`${file}: not a JWKS`)
  const entries = await Promise.all(
    keys.map(async (jwk) => {
      if (typeof jwk.kid !== 'string' || typeof jwk.iss !== 'string' || !isSigner(jwk.iss) || jwk.d !== undefined)
        throw new Error(`${file}: every key needs kid and iss, and none may be private`)
      return [jwk.kid, { issuer: jwk.iss, key: await publicOrPrivate(jwk) }] as const
    }),
  )
  return new Map(entries)
}

async function publicOrPrivate(jwk: JWK): Promise<CryptoKey> {
  const key = await importJWK(jwk, 'ES256')
  if (key instanceof Uint8Array) throw new Error('an assertion key must be an EC key')
  return key
}

async function readJson<T>(file: string): Promise<T> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as T // checked field by field by the readers above
  } catch (cause) {
    throw new Error(`${file}: cannot be read as JSON`, { cause })
  }
}
