import type { AuditAction, auditRecorded, Caller, WebhookEventKind, webhookEvents } from '@wp/contracts'
import type { z } from 'zod'
import type { Query } from '../connection/query.ts'
import type { ScopedClient } from '../connection/scoped-client.ts'

/** What `transact` hands to its work: one connection, one transaction, and what shall be true with it. */
export interface Transaction<Client = unknown> {
  /** Prisma on this connection and transaction. After a database error nothing but a rollback is possible. */
  readonly db: ScopedClient<Client>
  /** SQL on the same connection and transaction. */
  readonly query: Query
  /** The workspace whose rows are visible now. */
  readonly workspaceId: string | null
  /** The same, and where it lives. */
  readonly workspace: WorkspaceRef | null
  /** Goes on as another workspace, for example the one just created, or as none. The events that follow belong to it. */
  switchWorkspace(place: WorkspaceRef | null): Promise<void>
  /**
   * Puts an event into the outbox with the commit. Actor, request id and traceparent are the caller's, the time is the
   * database's. Undeclared fields of `data` are dropped.
   * @throws Error when `data` does not match the kind's schema: that is a bug of the caller
   */
  emit<Kind extends WebhookEventKind>(event: EmittedEvent<Kind>): void
  /**
   * Adds to the audit event. An endpoint's declared audit is written without this; where none is declared, `action` and
   * `targets` make one.
   */
  audit(details: AuditDetails): void
  /** Writes an audit event beside that one, of something else that happens with it, in the workspace of this moment. */
  emitAudit(
    details: AuditDetails & Required<Pick<AuditDetails, 'action' | 'targets'>>,
    actor?: Caller['principal'],
  ): void
  /** After the commit, announces that the queue has work. */
  wake(queue: string): void
  /** Runs after the commit, when the connection is back; a failure is logged and does not fail the request. */
  afterCommit(action: () => void | Promise<void>): void
}

/** A workspace, and the shard it lives in: what happens in it is told there. */
export interface WorkspaceRef {
  workspaceId: string
  shard: string
}

export interface EmittedEvent<Kind extends WebhookEventKind = WebhookEventKind> {
  kind: Kind
  data: z.input<(typeof webhookEvents)[Kind]['data']>
  /** Default: a new `evt_…`. */
  id?: string
}

type AuditData = z.input<typeof auditRecorded.data>

export interface AuditDetails {
  /** One that an endpoint declares, or `furtherAuditActions` in contracts: the audit log refuses any other. */
  action?: AuditAction
  targets?: AuditData['targets']
  /** What changed, without secrets. */
  changes?: Record<string, unknown>
  /** Default `success`. */
  outcome?: AuditData['outcome']
}
