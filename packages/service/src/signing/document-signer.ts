import { readFile } from 'node:fs/promises'
import { createLocalJWKSet, importJWK, type JWK, jwtVerify, SignJWT } from 'jose'

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
