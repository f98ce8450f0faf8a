import { hash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import type { WorkspacePlacement } from '../tokens/access-token.ts'

/** A secret as it is shown once, and what is kept of it. */
export interface Secret {
  text: string
  /** SHA-256, hexadecimal. */
  hash: string
}

/** Our secrets are random and long, so that a plain hash of them gives nothing away (unlike one of a password). */
export const hashSecret = (text: string): string => hash('sha256', text, 'hex')

/** A client secret: 256 random bits, in characters that no encoding changes. */
export function generateClientSecret(): Secret {
  const text = `wpcs_${randomBytes(32).toString('base64url')}`
  return { text, hash: hashSecret(text) }
}

/** An API key: `key_<shard>.<LOC>.<WORKSPACE>.<uuid v4>`, 122 random bits. */
export function generateApiKey(placement: WorkspacePlacement): Secret & { last4: string } {
  return apiKeyFromText(apiKeyPrefix(placement) + randomUUID())
}

/** What is kept of an API key. */
export const apiKeyFromText = (text: string): Secret & { last4: string } => ({
  text,
  hash: hashSecret(text),
  last4: text.slice(-4),
})

/** What every API key of a workspace begins with. */
export const apiKeyPrefix = ({ shard, location, workspaceId }: WorkspacePlacement): string =>
  `key_${shard}.${location}.${workspaceId}.`

const emptyTextHash = hashSecret('')

/** Whether a secret is one of those kept, in the same time for every wrong one, also where none is kept. */
export function matchesAnyHash(text: string, hashes: readonly string[]): boolean {
  const presentedHash = Buffer.from(hashSecret(text), 'hex')
  return [emptyTextHash, ...hashes]
    .map((kept) => timingSafeEqual(presentedHash, Buffer.from(kept, 'hex')) && kept !== emptyTextHash)
    .includes(true)
}
