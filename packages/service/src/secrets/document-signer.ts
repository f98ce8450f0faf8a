import { existsSync } from 'node:fs'
import { readFile, rename, writeFile } from 'node:fs/promises'
import {
  calculateJwkThumbprint,
  createLocalJWKSet,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
  jwtVerify,
  SignJWT,
} from 'jose'

/** Signs documents that are kept for years, and verifies them with every key that was ever used. */
export interface DocumentSigner {
  /** Returns a JWT of the claims, signed with ES256. @param type the `typ` of its header */
  sign(type: string, claims: Readonly<Record<string, unknown>>): Promise<string>
  /** @returns the claims; undefined if the token is malformed, of another type or not signed with one of the keys */
  verify(type: string, token: string): Promise<Record<string, unknown> | undefined>
  /** The public keys, as JWKs: the current one and all earlier ones. */
  readonly publicKeys: readonly JWK[]
}

/**
 * Opens a key file: a JWKS in which the current key is private and the earlier ones are public.
 *
 * @throws Error naming the file if it cannot be read, or does not contain exactly one private key
 */
export async function openDocumentSigner(file: string): Promise<DocumentSigner> {
  const keys = await readKeys(file)
  const [current, ...others] = keys.filter((key) => key.d !== undefined)
  if (current === undefined || others.length > 0 || keys.some(({ kid }) => kid === undefined))
    throw new Error(`${file}: must contain exactly one private key, and a kid for every key`)
  const kid = String(current.kid)
  const privateKey = await importJWK(current, 'ES256')
  const publicKeys = keys.map(toPublicKey)
  const keySet = createLocalJWKSet({ keys: publicKeys })
  return {
    publicKeys,
    sign: (type, claims) =>
      new SignJWT({ ...claims }).setProtectedHeader({ alg: 'ES256', typ: type, kid }).sign(privateKey),
    async verify(type, token) {
      const verified = await jwtVerify(token, keySet, { algorithms: ['ES256'], typ: type }).catch(() => undefined)
      return verified?.payload
    },
  }
}

/** Returns the key without its private part. */
export const toPublicKey = ({ d: _, ...key }: JWK): JWK => key

async function readKeys(file: string): Promise<JWK[]> {
  try {
    const { keys } = JSON.parse(await readFile(file, 'utf8')) as { keys?: JWK[] } // checked here and by the caller
    if (Array.isArray(keys)) return keys
  } catch (cause) {
    throw new Error(`${file}: cannot be read as JSON`, { cause })
  }
  throw new Error(`${file}: not a JWKS`)
}

/** Creates the key file if it is missing, readable by its owner only. @returns true if it was created */
export async function ensureDocumentKeyFile(file: string, name: string): Promise<boolean> {
  if (existsSync(file)) return false
  await writeKeys(file, [await createKey(name)])
  return true
}

/**
 * Replaces the current key by a new one. The earlier keys stay in the file without their private parts, because the
 * documents signed with them must stay verifiable.
 */
export async function rotateDocumentKey(file: string, name: string): Promise<void> {
  const { keys } = JSON.parse(await readFile(file, 'utf8')) as { keys: JWK[] } // written by `writeKeys` only
  await writeKeys(file, [await createKey(name), ...keys.map(toPublicKey)])
}

async function createKey(name: string): Promise<JWK> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  const jwk = await exportJWK(privateKey)
  const kid = `${name}-${(await calculateJwkThumbprint(toPublicKey(jwk))).slice(0, 12)}`
  return { ...jwk, kid, alg: 'ES256', use: 'sig' }
}

async function writeKeys(file: string, keys: readonly JWK[]): Promise<void> {
  await writeFile(`${file}.new`, JSON.stringify({ keys }, null, 2), { mode: 0o600 })
  await rename(`${file}.new`, file)
}
