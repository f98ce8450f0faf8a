import { z } from 'zod'
import { scopes } from './scope.ts'

/**
 * The types of principals. `portal_link` is a link by which a customer of a workspace manages their own webhooks,
 * `service` a service of the platform; `anonymous` has no credential.
 */
export const principalTypes = ['user', 'service_principal', 'api_key', 'portal_link', 'service', 'anonymous'] as const
export type PrincipalType = (typeof principalTypes)[number]

/** The caller of an operation, authenticated by a signed assertion. Jobs store it. */
export const Caller = z.object({
  principal: z.object({ id: z.string(), type: z.enum(principalTypes) }),
  credentialId: z.string(),
  workspaceId: z.string().nullable(),
  shard: z.string(),
  location: z.string(),
  scopes: z.array(z.enum(scopes)),
  /** True if the access token of a user is restricted by `scope`; otherwise absent. */
  isDownscoped: z.literal(true).optional(),
  /** True if the access token of a user is restricted to its workspace; otherwise absent. */
  isWorkspaceRestricted: z.literal(true).optional(),
  /**
   * The client (OAuth application) that acts for a user in the session `credentialId`; absent for the user in person.
   */
  clientId: z.string().optional(),
  /** The customer of the workspace for whom a portal link acts: the caller reaches nothing of anyone else. */
  customerId: z.string().optional(),
  /** Expiry of the credential, if it has one. */
  credentialExpiresAt: z.string().optional(),
  /** Id of the access token, if it can be revoked separately from other tokens of the principal. */
  tokenId: z.string().optional(),
  requestId: z.string(),
  traceparent: z.string().optional(),
})
export type Caller = z.infer<typeof Caller>

/** A caller for whom the endpoint's declaration guarantees a workspace. */
export type WorkspaceCaller = Caller & { workspaceId: string }

/**
 * Metadata of a request for its transaction, which stores the response of an idempotency key, checks the precondition,
 * and writes the audit event.
 */
export interface RequestMetadata {
  /** Operation id of the endpoint, for example `data.createSource`. */
  endpointId: string
  idempotency?: {
    key: string
    /** SHA-256 of method, path, query and body, hexadecimal. A streamed body is added when it has been read. */
    fingerprint: string
    /** Set if the response holds a secret: only this field, an identifier, is stored. */
    secretIdField?: string
    /** Set if only a response with this field holds a secret; any other is stored as it is. */
    secretField?: string
    /** Set if the endpoint needs no workspace: the key then applies to the principal in all workspaces. */
    acrossWorkspaces?: true
  }
  /** Identifies the resource the request changes. Changes of a resource run one after the other. */
  resource?: string
  /** The condition of `If-Match`, checked in the transaction that changes the resource. */
  precondition?: {
    /** The field value as sent. */
    ifMatch: string
    /** Reads the resource and compares its tag. @throws Problem `precondition_failed`, or the error of reading it */
    check: () => Promise<void>
  }
  audit?: {
    action: string
    targetType: string
    /** Field of the response, or path parameter, that identifies the target. */
    targetField: string
    params: Readonly<Record<string, string>>
  }
  ip?: string
  userAgent?: string
}

/** A caller with the metadata of the request, as the router passes it to operations. */
export type RequestCaller<C extends Caller = Caller> = C & { request?: RequestMetadata }

/**
 * Thrown by `transact` if a response is stored for the idempotency key: the router sends the stored result again.
 * Thrown rather than returned, so that an operation cannot continue as if it had done its work.
 */
export class IdempotentReplay extends Error {
  override readonly name = 'IdempotentReplay'
  readonly result: unknown

  constructor(result: unknown) {
    super('a response is stored for this idempotency key')
    this.result = result
  }
}
