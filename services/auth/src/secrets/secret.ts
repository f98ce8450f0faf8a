import { hash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import type { WorkspacePlacement } from '../store/workspaces/workspaces.ts'

/** A secret and the hash that is stored instead of it. The text is shown once. */
export interface Secret {
  text: string
  /** SHA-256, hexadecimal. */
  hash: string
}

/** Hashes a secret with SHA-256. Sufficient because our secrets are long and random, unlike passwords. */
export const hashSecret = (text: string): string => hash('sha256', text, 'hex')

/** Generates a client secret: 256 random bits in characters that need no escaping. */
export function generateClientSecret(): Secret {
  const text = `wpcs_${randomBytes(32).toString('base64url')}`
  return { text, hash: hashSecret(text) }
}

/** Generates an API key: `key_<shard>.<LOC>.<WORKSPACE>.<uuid v4>`, 122 random bits. */
export function generateApiKey(placement: WorkspacePlacement): Secret & { last4: string } {
  return apiKeyFromText(apiKeyPrefix(placement) + randomUUID())
}

/** Returns the stored parts of an API key. */
export const apiKeyFromText = (text: string): Secret & { last4: string } => ({
  text,
  hash: hashSecret(text),
  last4: text.slice(-4),
})

/** Returns the common prefix of a workspace's API keys. */
export const apiKeyPrefix = ({ shard, location, workspaceId }: WorkspacePlacement): string =>
  `key_${shard}.${location}.${workspaceId}.`

const emptyTextHash = hashSecret('')

/** Compares a secret with stored hashes. Every mismatch takes the same time, also if there are no hashes. */
export function matchesAnyHash(text: string, hashes: readonly string[]): boolean {
  const presentedHash = Buffer.from(hashSecret(text), 'hex')
  return [emptyTextHash, ...hashes]
    .map((kept) => timingSafeEqual(presentedHash, Buffer.from(kept, 'hex')) && kept !== emptyTextHash)
    .includes(true)
}

/** Compares two texts in a time that depends only on their lengths. */
export function isEqualConstantTime(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
