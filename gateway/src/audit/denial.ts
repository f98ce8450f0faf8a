import type { IncomingMessage } from 'node:http'
import { type EndpointDefinition, type ErrorCode, id, Problem } from '@wp/contracts'
import type { Subject } from '@wp/service'
import { decodeJwt } from 'jose'
import { parseApiKey } from '../identify/api-key.ts'
import { type PresentedCredential, readClaims } from '../identify/credential.ts'
import type { ResolvedCredential } from '../identify/identity-cache.ts'

/** That somebody known was refused something. */
export interface Denial {
  /** Whose denials are counted together. */
  credentialId: string
  /** Into whose log it belongs; empty: the platform's. */
  workspaceId: string
  /** Where that is kept; empty for the platform's. */
  shard: string
  actor: Subject['principal']
  endpointId: string
  /** The workspace that was asked for, where that was the trouble. */
  requestedWorkspaceId: string | undefined
  code: ErrorCode
  requiredScope: string | undefined
  ip: string
  userAgent: string | null
  requestId: string
}

/** A refusal, as the edge comes upon it. */
export interface DenialContext {
  error: unknown
  definition: EndpointDefinition
  request: IncomingMessage
  requestId: string
  clientAddress: string
  /** Who was refused, where that is known. */
  resolved: ResolvedCredential | undefined
  /** Where the request would have run, where that was decided. */
  workspaceId: string | null | undefined
}

const forbiddenCodes: ReadonlySet<ErrorCode> = new Set([
  'missing_scope',
  'workspace_forbidden',
  'workspace_mismatch',
  'bearer_required',
  'user_required',
])
const endedCodes: ReadonlySet<ErrorCode> = new Set(['revoked_credential', 'expired_credential'])

/**
 * What the audit log shall know of a refusal: nothing where it is not known who was refused, for that is no news of
 * anybody. The log is that of the workspace the caller belongs to, never of one that was only asked for: else strangers
 * could fill it.
 */
export function denialOf(refusal: DenialContext): Denial | undefined {
  const { error: thrown, definition, request, requestId, clientAddress: address, resolved: known } = refusal
  if (!(thrown instanceof Problem)) return undefined
  const holder = endedCodes.has(thrown.code)
    ? callerOfEndedCredential(refusal)
    : known !== undefined &&
      forbiddenCodes.has(thrown.code) &&
      callerIn(known, refusal.workspaceId ?? ownWorkspaceOf(known))
  if (!holder) return undefined
  const { required_scope: requiredScope } = thrown.extra
  const concernsWorkspace = thrown.code === 'workspace_forbidden' || thrown.code === 'workspace_mismatch'
  return {
    ...holder,
    endpointId: definition.id,
    requestedWorkspaceId: concernsWorkspace ? parseWorkspaceId(request.headers['x-workspace-key']) : undefined,
    code: thrown.code,
    requiredScope: typeof requiredScope === 'string' ? requiredScope : undefined,
    ip: address,
    userAgent: request.headers['user-agent']?.slice(0, 500) ?? null,
    requestId,
  }
}

/** The workspace a caller belongs to: the one its credential embeds, or its only one. */
function ownWorkspaceOf({ identity, tokenWorkspaceId }: ResolvedCredential): string {
  const embedded = identity.workspace_id ?? tokenWorkspaceId
  const [only, another] = identity.grants
  if (embedded !== undefined) return identity.grants.some((grant) => grant.workspace_id === embedded) ? embedded : ''
  return only !== undefined && another === undefined ? only.workspace_id : ''
}

type DeniedCaller = Pick<Denial, 'credentialId' | 'actor' | 'workspaceId' | 'shard'>

const callerIn = ({ identity }: ResolvedCredential, workspaceId: string): DeniedCaller => ({
  credentialId: identity.credential_id,
  actor: identity.principal,
  workspaceId,
  shard: identity.grants.find((grant) => grant.workspace_id === workspaceId)?.shard ?? '',
})

/** Of a credential that has ended only where it names a workspace: tokens of users end all the time. */
function callerOfEndedCredential({ resolved: known, request }: DenialContext): DeniedCaller | undefined {
  if (known === undefined) return callerOfCredential(request)
  const home = ownWorkspaceOf(known)
  return home === '' ? undefined : callerIn(known, home)
}

/**
 * Who a credential that has ended belonged to, by what it says of itself. To be asked only once it was found to have
 * ended, which is found of real ones alone: of keys that auth has, of tokens whose signature was verified.
 */
function callerOfCredential(request: IncomingMessage): DeniedCaller | undefined {
  const { credential } = readClaims(request)
  if (credential === undefined) return undefined
  return credential.kind === 'apiKey' ? callerOfApiKey(credential) : callerOfToken(credential)
}

/** Which key it was, the edge is not told; its last four characters are how the platform shows a key. */
function callerOfApiKey({ value, digest }: PresentedCredential): DeniedCaller | undefined {
  const key = parseApiKey(value)
  if (key === undefined) return undefined
  const { workspaceId, shard } = key
  return { credentialId: digest, actor: { id: `…${value.slice(-4)}`, type: 'api_key' }, workspaceId, shard }
}

function callerOfToken({ value, digest }: PresentedCredential): DeniedCaller | undefined {
  const { sub, principal_type: type, workspace_id: workspaceId, shard } = decodeJwt(value)
  if (typeof sub !== 'string' || typeof workspaceId !== 'string' || typeof shard !== 'string') return undefined
  if (type !== 'user' && type !== 'service_principal') return undefined
  return { credentialId: digest, actor: { id: sub, type }, workspaceId, shard }
}

const workspace = id('ws')

const parseWorkspaceId = (asked: unknown): string | undefined => workspace.safeParse(asked).data
