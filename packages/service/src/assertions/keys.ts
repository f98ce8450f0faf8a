import { createPrivateKey, type KeyObject } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { isSigner, type SignerName } from '@wp/contracts'
import { type CryptoKey, calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'

/** A key as it is stored in a file: a JWK with the name of its signer. */
export type SignerJwk = JWK & { iss?: string }

/** The private key of one signer, from `ASSERTION_KEY_FILE`. */
export interface SigningKey {
  kid: string
  issuer: SignerName
  key: KeyObject
}

/** The public keys of all signers, from `ASSERTION_KEYS_FILE`. Each belongs to one issuer. */
export interface KeyRing {
  find(kid: string): Promise<{ issuer: SignerName; key: CryptoKey } | undefined>
}

/** Creates an ES256 key pair for a signer: the private and the public JWK, both with the name of the issuer. */
export async function createAssertionKey(issuer: SignerName): Promise<{ privateJwk: SignerJwk; publicJwk: SignerJwk }> {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
  const [privateJwk, publicJwk] = await Promise.all([exportJWK(privateKey), exportJWK(publicKey)])
  const common = {
    kid: `${issuer}-${(await calculateJwkThumbprint(publicJwk)).slice(0, 12)}`,
    alg: 'ES256',
    use: 'sig',
    iss: issuer,
  }
  return { privateJwk: { ...privateJwk, ...common }, publicJwk: { ...publicJwk, ...common } }
}

/** Reads the private key of a signer. @throws an error naming the file if it has no P-256 key of that signer */
export async function readSigningKey(file: string, issuer: SignerName): Promise<SigningKey> {
  const jwk = await readJson<SignerJwk>(file)
  if (jwk.iss !== issuer || typeof jwk.kid !== 'string' || jwk.crv !== 'P-256')
    throw new Error(`${file}: not a P-256 key of ${issuer}`)
  return { kid: jwk.kid, issuer, key: createPrivateKey({ key: { ...jwk }, format: 'jwk' }) }
}

/** Longest time until a change of the file is read, in milliseconds; an unknown key id causes an immediate reload. */
const reloadIntervalMs = 10_000

/**
 * Opens the key ring. An unknown key id makes it read the file at once, so that a rotation needs no restart; otherwise
 * the file is checked every ten seconds, so that a removed key is soon no longer trusted.
 * @param now milliseconds since 1970
 */
export async function openKeyRing(file: string, now: () => number = Date.now): Promise<KeyRing> {
  let changedAt = await changeTime(file)
  let keys = await readKeys(file)
  let checkedAt = now()

  async function reloadIfChanged(): Promise<void> {
    checkedAt = now()
    const latest = await changeTime(file)
    if (latest === changedAt) return
    keys = await readKeys(file)
    changedAt = latest
  }

  return {
    async find(kid) {
      // keys stay valid while the file cannot be read
      if (now() - checkedAt > reloadIntervalMs) await reloadIfChanged().catch(() => undefined)
      if (!keys.has(kid)) await reloadIfChanged()
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
        throw new Error(`${file}: every key must have kid and iss, and must not be private`)
      if (jwk.crv !== 'P-256') throw new Error(`${file}: the key ${jwk.kid} is not a P-256 key`)
      return [jwk.kid, { issuer: jwk.iss, key: await importKey(jwk) }] as const
    }),
  )
  return new Map(entries)
}

async function importKey(jwk: JWK): Promise<CryptoKey> {
  const key = await importJWK(jwk, 'ES256')
  if (key instanceof Uint8Array) throw new Error('an assertion key must be an EC key')
  return key
}

async function readJson<T>(file: string): Promise<T> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as T // its fields are checked by the callers
  } catch (cause) {
    throw new Error(`${file}: cannot be read as JSON`, { cause })
  }
}
