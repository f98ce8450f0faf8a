import { credentialDestination } from '@wp/outbound'
import type { Subscription } from '../store/subscriptions/subscriptions.ts'
import { toStringRecord } from '../views.ts'

interface CredentialsPatch {
  endpoint?: string | undefined
  secret?: string | null | undefined
  headers?: Record<string, string | null> | null | undefined
  authentication?: object | null | undefined
}

/** Lists as "a, b and c". */
const listFormat = new Intl.ListFormat('en-GB')

export interface NewDestination<Patch> {
  /** The subscription without the credentials of the old destination. */
  row: Subscription
  /** The patch, which removes the credentials that it does not set. */
  patch: Patch
  warnings: string[]
}

/**
 * Removes the custom headers and the authentication of a subscription whose endpoint changes in more than its query,
 * and with a new scheme, host or port the secret too, unless the same patch sets them: they belong to the old receiver,
 * and the user who changes the endpoint may not know them. The secret stays when the path changes, because it is never
 * sent.
 */
export function dropCredentialsOfOldDestination<Patch extends CredentialsPatch>(
  row: Subscription,
  patch: Patch,
): NewDestination<Patch> {
  const before = row.endpoint
  if (patch.endpoint === undefined || (before !== null && isSameDestination(before, patch.endpoint)))
    return { row, patch, warnings: [] }
  const isNewOrigin = before === null || new URL(before).origin !== new URL(patch.endpoint).origin
  const { headers = null, authentication = null } = patch
  const dropped = listFormat.format([
    ...droppedHeaders(row, headers),
    ...(isNewOrigin ? droppedSecret(row, patch) : []),
    ...droppedAuthentication(row, patch),
  ])
  return {
    row: { ...row, headers: {}, authentication: null },
    patch: { ...patch, headers, authentication, ...(isNewOrigin ? { secret: patch.secret ?? null } : {}) },
    warnings:
      dropped === ''
        ? []
        : [
            `\`endpoint\` has a new ${isNewOrigin ? 'origin' : 'path'}, so ${dropped} were removed; send them together with the new endpoint`,
          ],
  }
}

const isSameDestination = (one: string, other: string): boolean =>
  credentialDestination(one) === credentialDestination(other)

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
