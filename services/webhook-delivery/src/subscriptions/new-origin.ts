import type { Subscription } from '#db'
import { toStringRecord } from '../views.ts'

interface CredentialsPatch {
  endpoint?: string | undefined
  secret?: string | null | undefined
  headers?: Record<string, string | null> | null | undefined
  authentication?: object | null | undefined
}

/** Lists as "a, b and c". */
const listFormat = new Intl.ListFormat('en-GB')

export interface NewOrigin<Patch> {
  /** The subscription without the credentials of the old origin. */
  row: Subscription
  /** The patch, which removes the credentials that it does not set. */
  patch: Patch
  warnings: string[]
}

/**
 * Removes the custom headers, the secret and the authentication of a subscription whose endpoint gets another scheme,
 * host or port, unless the same patch sets them: they belong to the old receiver, and the user who changes the endpoint
 * may not know them.
 */
export function dropCredentialsOfOldOrigin<Patch extends CredentialsPatch>(
  row: Subscription,
  patch: Patch,
): NewOrigin<Patch> {
  if (patch.endpoint === undefined || isSameOrigin(row.endpoint, patch.endpoint)) return { row, patch, warnings: [] }
  const { secret = null, headers = null, authentication = null } = patch
  const dropped = listFormat.format([
    ...droppedHeaders(row, headers),
    ...droppedSecret(row, patch),
    ...droppedAuthentication(row, patch),
  ])
  return {
    row: { ...row, headers: {}, authentication: null },
    patch: { ...patch, secret, headers, authentication },
    warnings:
      dropped === ''
        ? []
        : [`\`endpoint\` has a new origin, so ${dropped} were removed; send them together with the new endpoint`],
  }
}

const isSameOrigin = (before: string | null, after: string): boolean =>
  before !== null && new URL(before).origin === new URL(after).origin

function droppedHeaders({ headers }: Subscription, patch: CredentialsPatch['headers']): string[] {
  const patched = new Set(Object.keys(patch ?? {}).map((name) => name.toLowerCase()))
  const names = Object.keys(toStringRecord(headers)).filter((name) => !patched.has(name.toLowerCase()))
  return names.length === 0 ? [] : [`the custom headers ${names.sort().join(', ')}`]
}

const droppedAuthentication = (
  { authentication: before }: Subscription,
  { authentication }: CredentialsPatch,
): string[] => (before !== null && authentication === undefined ? ['the authentication'] : [])

const droppedSecret = ({ secretSealed }: Subscription, { secret }: CredentialsPatch): string[] =>
  secretSealed !== null && secret === undefined ? ['the secret'] : []
