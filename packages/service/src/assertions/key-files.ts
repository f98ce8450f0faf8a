import { copyFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type SignerName, signerNames } from '@wp/contracts'
import { ensureDocumentKeyFile } from '../secrets/document-signer.ts'
import { createAssertionKey, type SignerJwk } from './keys.ts'

/** Paths of the key files of a fleet. */
export interface KeyFiles {
  /** The JWKS that every process reads. */
  keysFile: string
  /** The private key of one signer. */
  keyFile(signer: SignerName): string
  /**
   * The keys with which the audit log signs its heads and anchors: the current one, and the public part of earlier
   * ones.
   */
  auditSigningKeyFile: string
}

/** The name by which operators rotate the key of the audit log; its key ids begin with it. */
export const auditSigningKeyName = 'audit-log'

/** Returns the paths of the key files in a directory. */
export const keyFilePaths = (directory: string): KeyFiles => ({
  keysFile: join(directory, 'assertion-keys.json'),
  keyFile: (signer) => join(directory, `${signer}.key.json`),
  auditSigningKeyFile: join(directory, 'audit-signing-keys.json'),
})

/**
 * Creates the key files that are missing: a private key for each signer, the JWKS of all public keys, and the signing
 * key of the audit log. Existing keys are kept. Private files are readable by their owner only; the public file is
 * replaced atomically.
 * @returns the names of the keys that were created
 */
export async function ensureKeyFiles(
  directory: string,
  signers: readonly SignerName[] = signerNames,
): Promise<string[]> {
  await mkdir(directory, { recursive: true })
  const files = keyFilePaths(directory)
  const published = await readPublished(files.keysFile)
  const created: string[] = []
  for (const signer of signers) {
    const existing = await readIfExists(files.keyFile(signer))
    const kid = existing === undefined ? undefined : (JSON.parse(existing) as SignerJwk).kid // written below only
    if (kid !== undefined && published.some((key) => key.kid === kid)) continue
    const { privateJwk, publicJwk } = await createAssertionKey(signer)
    await writeFile(files.keyFile(signer), JSON.stringify(privateJwk), { mode: 0o600 })
    published.push(publicJwk)
    created.push(signer)
  }
  if (created.length > 0) await replace(files.keysFile, JSON.stringify({ keys: published }, null, 2))
  if (await ensureDocumentKeyFile(files.auditSigningKeyFile, auditSigningKeyName)) created.push(auditSigningKeyName)
  return created
}

/**
 * Copies the key of each signer, with the public keys, to a folder of its name, so that a process can be given its own
 * key alone. A file is replaced atomically.
 */
export async function shareKeyFiles(
  directory: string,
  target: string,
  signers: readonly SignerName[] = signerNames,
): Promise<void> {
  const files = keyFilePaths(directory)
  for (const signer of signers) {
    const shared = keyFilePaths(join(target, signer))
    await mkdir(join(target, signer), { recursive: true })
    await copy(files.keyFile(signer), shared.keyFile(signer))
    if (signer === 'audit') await copy(files.auditSigningKeyFile, shared.auditSigningKeyFile)
    await copy(files.keysFile, shared.keysFile)
  }
}

/**
 * Performs one step of a key rotation. `publish` adds the next public key, which readers reload by themselves; `switch`
 * makes it the signing key, after which the signer must be restarted; `retire`, 2 minutes later, removes the old one.
 */
export async function rotateKey(
  directory: string,
  signer: SignerName,
  step: 'publish' | 'switch' | 'retire',
): Promise<void> {
  const files = keyFilePaths(directory)
  const next = `${files.keyFile(signer)}.next`
  const published = await readPublished(files.keysFile)
  if (step === 'publish') {
    const { privateJwk, publicJwk } = await createAssertionKey(signer)
    await writeFile(next, JSON.stringify(privateJwk), { mode: 0o600 })
    await replace(files.keysFile, JSON.stringify({ keys: [...published, publicJwk] }, null, 2))
  } else if (step === 'switch') await rename(next, files.keyFile(signer))
  else {
    const { kid } = JSON.parse(await readFile(files.keyFile(signer), 'utf8')) as SignerJwk // written by `publish`
    const remaining = published.filter((key) => key.iss !== signer || key.kid === kid)
    await replace(files.keysFile, JSON.stringify({ keys: remaining }, null, 2))
  }
}

async function readPublished(file: string): Promise<SignerJwk[]> {
  const text = await readIfExists(file)
  return text === undefined ? [] : (JSON.parse(text) as { keys: SignerJwk[] }).keys // written by `replace` only
}

/** @throws if the file exists but cannot be read: it must not be replaced by a new one then */
async function readIfExists(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

async function replace(file: string, text: string): Promise<void> {
  await writeFile(`${file}.new`, text)
  await rename(`${file}.new`, file)
}

/** Keeps the mode of the file, which for a private key excludes other users. */
async function copy(from: string, to: string): Promise<void> {
  await copyFile(from, `${to}.new`)
  await rename(`${to}.new`, to)
}
