import type {
  AuditAction,
  auditRecorded,
  Caller,
  EventDefinition,
  usageRecorded,
  WebhookEventKind,
  webhookEvents,
} from '@wp/contracts'
import type { z } from 'zod'
import type { Query } from '../connection/query.ts'
import type { ScopedClient } from '../connection/scoped-client.ts'

/** A write transaction. Everything buffered here takes effect with the commit or not at all. */
export interface Transaction<Client = unknown> {
  /** Prisma in this transaction. After a database error only a rollback is possible. */
  readonly db: ScopedClient<Client>
  /** SQL in this transaction. */
  readonly query: Query
  /** The workspace whose rows are visible. */
  readonly workspaceId: string | null
  /** The same workspace with its shard. */
  readonly workspace: WorkspaceRef | null
  /** Continues in another workspace, for example one just created, or in none. Later events belong to it. */
  switchWorkspace(workspace: WorkspaceRef | null): Promise<void>
  /**
   * Writes an event to the outbox. Actor, request id and traceparent come from the caller, the time from the database.
   * Undeclared fields of `data` are dropped.
   *
   * @throws ZodError if `data` does not match the schema of the kind
   */
  emit<Kind extends WebhookEventKind>(event: EmittedEvent<Kind>): void
  /** Writes an event for other services, which webhooks cannot select, to the outbox. @throws ZodError as `emit` */
  emitInternal<Definition extends InternalEvent>(definition: Definition, data: z.input<Definition['data']>): void
  /**
   * Adds details to the request's audit event. The audit event declared by an endpoint is written without this call; if
   * none is declared, `action` and `targets` create one.
   */
  audit(details: AuditDetails): void
  /** Writes a further audit event, in the current workspace. */
  emitAudit(
    details: AuditDetails & Required<Pick<AuditDetails, 'action' | 'targets'>>,
    actor?: Caller['principal'],
  ): void
  /** Writes the use of a meter to the outbox, for billing. */
  recordUsage(usage: z.input<typeof usageRecorded.data>): void
  /** Notifies the workers of a queue after the commit. */
  wake(queue: string): void
  /** Runs an action after the commit, outside the connection. A failure is logged and does not fail the request. */
  afterCommit(action: () => void | Promise<void>): void
}

/** A workspace and its shard, to whose stream its events are published. */
export interface WorkspaceRef {
  workspaceId: string
  shard: string
}

export interface EmittedEvent<Kind extends WebhookEventKind = WebhookEventKind> {
  kind: Kind
  data: z.input<(typeof webhookEvents)[Kind]['data']>
  /** Default: a new `evt_…` identifier. */
  id?: string
}

/** An event kind that webhooks cannot select. */
export type InternalEvent = EventDefinition & { isSubscribable: false }

type AuditData = z.input<typeof auditRecorded.data>

export interface AuditDetails {
  /** An action declared by an endpoint or in `additionalAuditActions` of contracts; the audit log rejects any other. */
  action?: AuditAction
  targets?: AuditData['targets']
  /** Changed fields, without secrets. */
  changes?: Record<string, unknown>
  /** Default `success`. */
  outcome?: AuditData['outcome']
}
