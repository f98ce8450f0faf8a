import { existsSync } from 'node:fs'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose'
import { toPublicKey } from './document-signer.ts'

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
