import type { IncomingMessage } from 'node:http'
import { type EndpointDefinition, type ErrorCode, id, Problem } from '@wp/contracts'
import type { Subject } from '@wp/service'
import { decodeJwt } from 'jose'
import { parseApiKey } from '../identify/api-key.ts'
import { type Presented, readClaims } from '../identify/credential.ts'
import type { Known } from '../identify/identities.ts'

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
  askedWorkspaceId: string | undefined
  code: ErrorCode
  requiredScope: string | undefined
  ip: string
  userAgent: string | null
  requestId: string
}

/** A refusal, as the edge comes upon it. */
export interface Refusal {
  thrown: unknown
  definition: EndpointDefinition
  request: IncomingMessage
  requestId: string
  address: string
  /** Who was refused, where that is known. */
  known: Known | undefined
  /** Where the request would have run, where that was decided. */
  workspaceId: string | null | undefined
}

const forbidding: ReadonlySet<ErrorCode> = new Set([
  'missing_scope',
  'workspace_forbidden',
  'workspace_mismatch',
  'bearer_required',
  'user_required',
])
const ending: ReadonlySet<ErrorCode> = new Set(['revoked_credential', 'expired_credential'])

/**
 * What the audit log shall know of a refusal: nothing where it is not known who was refused, for that is no news of
 * anybody. The log is that of the workspace the caller belongs to, never of one that was only asked for: else strangers
 * could fill it.
 */
export function denialOf(refusal: Refusal): Denial | undefined {
  const { thrown, definition, request, requestId, address, known } = refusal
  if (!(thrown instanceof Problem)) return undefined
  const holder = ending.has(thrown.code)
    ? endedHolder(refusal)
    : known !== undefined && forbidding.has(thrown.code) && holderIn(known, refusal.workspaceId ?? homeOf(known))
  if (!holder) return undefined
  const { required_scope: requiredScope } = thrown.extra
  const isOfWorkspace = thrown.code === 'workspace_forbidden' || thrown.code === 'workspace_mismatch'
  return {
    ...holder,
    endpointId: definition.id,
    askedWorkspaceId: isOfWorkspace ? workspaceOrNone(request.headers['x-workspace-key']) : undefined,
    code: thrown.code,
    requiredScope: typeof requiredScope === 'string' ? requiredScope : undefined,
    ip: address,
    userAgent: request.headers['user-agent']?.slice(0, 500) ?? null,
    requestId,
  }
}

/** The workspace a caller belongs to: the one its credential embeds, or its only one. */
function homeOf({ identity, tokenWorkspaceId }: Known): string {
  const embedded = identity.workspace_id ?? tokenWorkspaceId
  const [only, another] = identity.grants
  if (embedded !== undefined) return identity.grants.some((grant) => grant.workspace_id === embedded) ? embedded : ''
  return only !== undefined && another === undefined ? only.workspace_id : ''
}

type Holder = Pick<Denial, 'credentialId' | 'actor' | 'workspaceId' | 'shard'>

const holderIn = ({ identity }: Known, workspaceId: string): Holder => ({
  credentialId: identity.credential_id,
  actor: identity.principal,
  workspaceId,
  shard: identity.grants.find((grant) => grant.workspace_id === workspaceId)?.shard ?? '',
})

/** Of a credential that has ended only where it names a workspace: tokens of users end all the time. */
function endedHolder({ known, request }: Refusal): Holder | undefined {
  if (known === undefined) return holderOf(request)
  const home = homeOf(known)
  return home === '' ? undefined : holderIn(known, home)
}

/**
 * Who a credential that has ended belonged to, by what it says of itself. To be asked only once it was found to have
 * ended, which is found of real ones alone: of keys that auth has, of tokens whose signature was verified.
 */
function holderOf(request: IncomingMessage): Holder | undefined {
  const { credential } = readClaims(request)
  if (credential === undefined) return undefined
  return credential.kind === 'apiKey' ? holderOfKey(credential) : holderOfToken(credential)
}

/** Which key it was, the edge is not told; its last four characters are how the platform shows a key. */
function holderOfKey({ value, digest }: Presented): Holder | undefined {
  const key = parseApiKey(value)
  if (key === undefined) return undefined
  const { workspaceId, shard } = key
  return { credentialId: digest, actor: { id: `…${value.slice(-4)}`, type: 'api_key' }, workspaceId, shard }
}

function holderOfToken({ value, digest }: Presented): Holder | undefined {
  const { sub, principal_type: type, workspace_id: workspaceId, shard } = decodeJwt(value)
  if (typeof sub !== 'string' || typeof workspaceId !== 'string' || typeof shard !== 'string') return undefined
  if (type !== 'user' && type !== 'service_principal') return undefined
  return { credentialId: digest, actor: { id: sub, type }, workspaceId, shard }
}

const workspace = id('ws')

const workspaceOrNone = (asked: unknown): string | undefined => workspace.safeParse(asked).data
