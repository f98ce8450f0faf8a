import type { IncomingMessage } from 'node:http'
import { type EndpointDefinition, type ErrorCode, id, Problem } from '@wp/contracts'
import type { Subject } from '@wp/service'
import { decodeJwt } from 'jose'
import { type RequestCredential, readClaims } from '../identify/credential.ts'
import { parseApiKey } from '../identify/credential-lookup.ts'
import type { ResolvedCredential } from '../identify/resolved-credential.ts'

/** A denied request of a known caller, as the audit log records it. */
export interface Denial {
  /** Groups denials for throttling. */
  credentialId: string
  /** The workspace whose log it belongs to; empty for the log of the platform. */
  workspaceId: string
  /** The shard of that workspace; empty for the platform. */
  shard: string
  actor: Subject['principal']
  endpointId: string
  /** The workspace the request named, if the denial is about it. */
  requestedWorkspaceId: string | undefined
  code: ErrorCode
  requiredScope: string | undefined
  ip: string
  userAgent: string | null
  requestId: string
}

/** A rejected request. */
export interface DenialContext {
  error: unknown
  definition: EndpointDefinition
  request: IncomingMessage
  requestId: string
  clientAddress: string
  /** Undefined if the credential could not be resolved. */
  resolved: ResolvedCredential | undefined
  /** Workspace of the request; null if it has none, undefined if it was rejected before one was selected. */
  workspaceId: string | null | undefined
}

type DeniedCaller = Pick<Denial, 'credentialId' | 'actor' | 'workspaceId' | 'shard'>

const forbiddenCodes: ReadonlySet<ErrorCode> = new Set([
  'missing_scope',
  'insufficient_scope',
  'workspace_forbidden',
  'workspace_mismatch',
  'bearer_required',
  'user_required',
  'reauthentication_required',
])
const endedCodes: ReadonlySet<ErrorCode> = new Set(['revoked_credential', 'expired_credential'])
const workspaceCodes: ReadonlySet<ErrorCode> = new Set(['workspace_forbidden', 'workspace_mismatch'])

/**
 * Returns the denial to record; undefined if the caller is unknown or the error is no denial. It belongs to the log of
 * the workspace the caller is a member of, never of a workspace it only named: strangers could fill that log.
 */
export function denialOf(context: DenialContext): Denial | undefined {
  const { error, definition, request, requestId, clientAddress } = context
  if (!(error instanceof Problem)) return undefined
  const caller = deniedCaller(error.code, context)
  if (caller === undefined) return undefined
  const { required_scope: requiredScope } = error.extra
  return {
    ...caller,
    endpointId: definition.id,
    requestedWorkspaceId: workspaceCodes.has(error.code) ? parseWorkspaceId(request) : undefined,
    code: error.code,
    requiredScope: typeof requiredScope === 'string' ? requiredScope : undefined,
    ip: clientAddress,
    userAgent: request.headers['user-agent']?.slice(0, 500) ?? null,
    requestId,
  }
}

function deniedCaller(code: ErrorCode, { resolved, workspaceId, request }: DenialContext): DeniedCaller | undefined {
  if (forbiddenCodes.has(code)) return resolved && callerIn(resolved, workspaceId ?? ownWorkspaceOf(resolved))
  if (!endedCodes.has(code)) return undefined
  if (resolved === undefined) return callerOfEndedCredential(request)
  // recorded only if the credential belongs to one workspace: tokens of users expire all the time
  const ownWorkspaceId = ownWorkspaceOf(resolved)
  return ownWorkspaceId === '' ? undefined : callerIn(resolved, ownWorkspaceId)
}

/** Returns the workspace a credential is bound to, or else the only one its owner has; empty if there is none. */
function ownWorkspaceOf({ identity, tokenWorkspaceId }: ResolvedCredential): string {
  const boundId = identity.workspace_id ?? tokenWorkspaceId
  const [only, another] = identity.grants
  if (boundId !== undefined) return identity.grants.some((grant) => grant.workspace_id === boundId) ? boundId : ''
  return only !== undefined && another === undefined ? only.workspace_id : ''
}

const callerIn = ({ identity }: ResolvedCredential, workspaceId: string): DeniedCaller => ({
  credentialId: identity.credential_id,
  actor: identity.principal,
  workspaceId,
  shard: identity.grants.find((grant) => grant.workspace_id === workspaceId)?.shard ?? '',
})

/**
 * Reads the caller from a revoked or expired credential. Its content can be trusted: only credentials that auth knows
 * and tokens with a valid signature are found to have ended.
 */
function callerOfEndedCredential(request: IncomingMessage): DeniedCaller | undefined {
  const { credential } = readClaims(request, true)
  if (credential === undefined) return undefined
  return credential.kind === 'apiKey' ? callerOfApiKey(credential) : callerOfToken(credential)
}

/** The edge does not know the id of the key; the platform shows keys by their last four characters. */
function callerOfApiKey({ value, digest }: RequestCredential): DeniedCaller | undefined {
  const key = parseApiKey(value)
  if (key === undefined) return undefined
  const { workspaceId, shard } = key
  return { credentialId: digest, actor: { id: `…${value.slice(-4)}`, type: 'api_key' }, workspaceId, shard }
}

function callerOfToken({ value, digest }: RequestCredential): DeniedCaller | undefined {
  const { sub, principal_type: type, workspace_id: workspaceId, shard } = decodeJwt(value)
  if (typeof sub !== 'string' || typeof workspaceId !== 'string' || typeof shard !== 'string') return undefined
  if (type !== 'user' && type !== 'service_principal') return undefined
  return { credentialId: digest, actor: { id: sub, type }, workspaceId, shard }
}

const workspaceIdShape = id('ws')

const parseWorkspaceId = ({ headers }: IncomingMessage): string | undefined =>
  workspaceIdShape.safeParse(headers['x-workspace-key']).data
