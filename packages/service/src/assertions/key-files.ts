import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type SignerName, signerNames } from '@wp/contracts'
import { createAssertionKey, type SignerJwk } from './keys.ts'

/** Where the keys of a fleet lie. */
export interface KeyFiles {
  /** The JWKS every process reads. */
  keysFile: string
  /** The private key of one signer. */
  keyFile(signer: SignerName): string
}

/** The names of the files in a directory of keys. */
export const keyFilePaths = (directory: string): KeyFiles => ({
  keysFile: join(directory, 'assertion-keys.json'),
  keyFile: (signer) => join(directory, `${signer}.key.json`),
})

/**
 * Makes what is missing: a private key for each signer and the one public JWKS; keys that are there stay. Private files
 * are readable by their owner alone, the public file is replaced whole.
 * @returns the signers that got a new key
 */
export async function ensureKeyFiles(
  directory: string,
  signers: readonly SignerName[] = signerNames,
): Promise<SignerName[]> {
  await mkdir(directory, { recursive: true })
  const files = keyFilePaths(directory)
  const published = await readPublished(files.keysFile)
  const made: SignerName[] = []
  for (const signer of signers) {
    const existing = await readIfThere(files.keyFile(signer))
    const kid = existing === undefined ? undefined : (JSON.parse(existing) as SignerJwk).kid // written below, by nobody else
    if (kid !== undefined && published.some((key) => key.kid === kid)) continue
    const { privateJwk, publicJwk } = await createAssertionKey(signer)
    await writeFile(files.keyFile(signer), JSON.stringify(privateJwk), { mode: 0o600 })
    published.push(publicJwk)
    made.push(signer)
  }
  if (made.length > 0) await replace(files.keysFile, JSON.stringify({ keys: published }, null, 2))
  return made
}

/**
 * The steps of a rotation, each to be followed by the next: `publish` adds the next public key (readers reload by
 * themselves), `switch` makes it the signing key (restart the signer), `retire` drops the old one (2 minutes later).
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
    const kept = published.filter((key) => key.iss !== signer || key.kid === kid)
    await replace(files.keysFile, JSON.stringify({ keys: kept }, null, 2))
  }
}

async function readPublished(file: string): Promise<SignerJwk[]> {
  const text = await readIfThere(file)
  return text === undefined ? [] : (JSON.parse(text) as { keys: SignerJwk[] }).keys // written by `replace` alone
}

/** A file that is there and cannot be read is no reason to make another. */
async function readIfThere(file: string): Promise<string | undefined> {
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
