import { z } from 'zod'
import { endpoint } from '../core/endpoint/endpoint.ts'

/** A change of what a credential resolves to: of the credential itself, of its principal, or of a workspace. */
export const IdentityChange = z.object({
  /** Position in the change log: 1, 2, 3, … without gaps. */
  number: z.number().int().min(1),
  type: z.enum(['credential', 'principal', 'workspace']),
  id: z.string(),
})
export type IdentityChange = z.infer<typeof IdentityChange>

/** Limit of the changes in one heartbeat and in one page of the change log. */
export const maxIdentityChanges = 500

/** Auth publishes it every second, and after each change. */
export const IdentityHeartbeat = z.object({
  /** Number of the last change before `changes`. */
  after: z.number().int().min(0),
  /** Number of the last change in the log; `after` if `changes` is empty. */
  latest: z.number().int().min(0),
  /** True if every change committed before the heartbeat has a number up to `latest`. */
  is_complete: z.boolean(),
  changes: z.array(IdentityChange).max(maxIdentityChanges),
})
export type IdentityHeartbeat = z.infer<typeof IdentityHeartbeat>

/** Returns the core NATS subject of the heartbeats. @param shard the shard of auth and of the edges */
export const identityHeartbeatSubject = (shard: string): string => `identities.${shard}`

/** A page of the change log. */
export const IdentityChangePage = z.object({
  /**
   * `current`: there is no later change. `more`: there are later changes, or changes without a number yet. `truncated`:
   * the log no longer contains every change after the requested number, or never contained that number.
   */
  status: z.enum(['current', 'more', 'truncated']),
  /** Number of the last change up to which the page is complete; the latest one if it is truncated. */
  position: z.number().int().min(0),
  changes: z.array(IdentityChange).max(maxIdentityChanges),
})
export type IdentityChangePage = z.infer<typeof IdentityChangePage>

/** Reads the change log from the database. An edge that missed a heartbeat calls it. */
export const readIdentityChanges = endpoint({
  id: 'auth.readIdentityChanges',
  method: 'GET',
  path: '/internal/auth/identity-changes',
  summary: 'Read the changes of identities after a number, in order',
  audience: 'internal',
  workspace: 'none',
  allowsSystemCalls: true,
  callers: ['gateway'],
  query: z.strictObject({
    /** Number of the last change the caller knows. */
    after: z.coerce.number().int().min(0),
  }),
  ok: IdentityChangePage,
})
