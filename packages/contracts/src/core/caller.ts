import { z } from 'zod'
import { scopes } from './scope.ts'

/** Who can act: people, machines, keys, the platform's own services, nobody. */
export const principalTypes = ['user', 'service_principal', 'api_key', 'service', 'anonymous'] as const
export type PrincipalType = (typeof principalTypes)[number]

/** Who calls, as proven by a signed assertion; what an operation knows of the caller. Jobs store it. */
export const Caller = z.object({
  principal: z.object({ id: z.string(), type: z.enum(principalTypes) }),
  credentialId: z.string(),
  workspaceId: z.string().nullable(),
  shard: z.string(),
  location: z.string(),
  scopes: z.array(z.enum(scopes)),
  /** When the credential ends, where it does. */
  credentialExpiresAt: z.string().optional(),
  /** The access token's own id, where auth has to tell one token of a principal from another. */
  tokenId: z.string().optional(),
  requestId: z.string(),
  traceparent: z.string().optional(),
})
export type Caller = z.infer<typeof Caller>

/** A caller for whom the endpoint's declaration guarantees a workspace. */
export type WorkspaceCaller = Caller & { workspaceId: string }

/** What the transaction of a request must also write: the stored answer of an idempotency key, the audit event. */
export interface RequestMetadata {
  /** Operation id of the endpoint, for example `data.createSource`. */
  endpointId: string
  idempotency?: {
    key: string
    /** SHA-256 of method, path, query and body, hexadecimal. */
    fingerprint: string
    /** The answer holds a secret: keep only the identifier under this name. */
    secretIdField?: string
    /** The endpoint needs no workspace: the key holds for the principal, in whichever workspace the request runs. */
    acrossWorkspaces?: true
  }
  /** Names the one resource the request changes: changes of it come one after the other. */
  resource?: string
  /** `If-Match`: what must be true of the resource at the moment it is changed. */
  precondition?: {
    /** The field as it was sent. */
    ifMatch: string
    /** Reads the resource and compares. @throws Problem `precondition_failed`, or what reading it refuses */
    check: () => Promise<void>
  }
  audit?: {
    action: string
    targetType: string
    /** The field of the answer (or path parameter) that identifies the target. */
    targetField: string
    params: Readonly<Record<string, string>>
  }
  ip?: string
  userAgent?: string
}

/** A caller together with the request it makes, as the router hands it to operations. */
export type RequestCaller<C extends Caller = Caller> = C & { request?: RequestMetadata }

/**
 * Thrown by `transact` when an idempotency key was answered before: the router gives the kept result again.
 * Thrown rather than returned, so that an operation cannot go on as if it had done its work.
 */
export class IdempotentReplay extends Error {
  override readonly name = 'IdempotentReplay'
  readonly result: unknown

  constructor(result: unknown) {
    super('answered before under the same idempotency key')
    this.result = result
  }
}
