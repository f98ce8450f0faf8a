import {
  auditRecorded,
  type Caller,
  type RequestCaller,
  usageRecorded,
  type WebhookEventKind,
  webhookEvents,
} from '@wp/contracts'
import { escapeLiteral } from 'pg'
import type { z } from 'zod'
import type { Query } from '../connection/query.ts'
import type { ScopedClient } from '../connection/scoped-client.ts'
import type { ScopedConnection } from '../connection/scoped-connection.ts'
import { newId } from '../new-id.ts'
import { buildAuditData } from './audit-data.ts'
import type { AuditDetails, EmittedEvent, InternalEvent, Transaction, WorkspaceRef } from './transaction.ts'

/** The transaction of one attempt: offers the connection and buffers what is written or done with the commit. */
export class TransactionBuffer<Client> implements Transaction<Client> {
  readonly db: ScopedClient<Client>
  readonly query: Query
  readonly wakes = new Set<string>()
  readonly afterCommitActions: (() => void | Promise<void>)[] = []
  readonly #caller: RequestCaller
  readonly #events: OutboxEvent[] = []
  readonly #serviceShard: string
  #workspace: WorkspaceRef | null
  #audit: AuditDetails | undefined

  constructor(caller: RequestCaller, db: ScopedClient<Client>, connection: ScopedConnection, serviceShard: string) {
    const { workspaceId, shard } = caller
    this.#caller = caller
    this.#serviceShard = serviceShard
    this.#workspace = workspaceId === null ? null : { workspaceId, shard }
    this.db = db
    this.query = connection.query
  }

  get workspaceId(): string | null {
    return this.#workspace?.workspaceId ?? null
  }

  get workspace(): WorkspaceRef | null {
    return this.#workspace
  }

  async switchWorkspace(workspace: WorkspaceRef | null): Promise<void> {
    await this.query(`SELECT set_config('app.workspace_id', $1, true)`, [workspace?.workspaceId ?? ''])
    this.#workspace = workspace
  }

  emit<Kind extends WebhookEventKind>({ kind, data, id }: EmittedEvent<Kind>): void {
    this.#record({ kind, data: webhookEvents[kind].data.parse(data), id })
  }

  emitInternal<Definition extends InternalEvent>(
    { kind, data: shape }: Definition,
    data: z.input<Definition['data']>,
  ): void {
    this.#record({ kind, data: shape.parse(data) })
  }

  audit(details: AuditDetails): void {
    this.#audit = { ...this.#audit, ...details }
  }

  emitAudit(
    details: AuditDetails & Required<Pick<AuditDetails, 'action' | 'targets'>>,
    actor: Caller['principal'] = this.#caller.principal,
  ): void {
    this.#record({
      kind: auditRecorded.kind,
      data: buildAuditData({ ...this.#caller, principal: actor }, details, undefined),
    })
  }

  recordUsage(usage: z.input<typeof usageRecorded.data>): void {
    this.#record({ kind: usageRecorded.kind, data: usageRecorded.data.parse(usage) })
  }

  wake(queue: string): void {
    this.wakes.add(queue)
  }

  afterCommit(action: () => void | Promise<void>): void {
    this.afterCommitActions.push(action)
  }

  /**
   * Returns the rows for the outbox: the emitted events, then the audit event, which may name a field of the result.
   */
  collectEvents(result: unknown): readonly OutboxEvent[] {
    const data = buildAuditData(this.#caller, this.#audit, result)
    if (data !== undefined) this.#record({ kind: auditRecorded.kind, data })
    if (this.#events.length > 0) this.wake('outbox')
    return this.#events
  }

  #record({ kind, data, id }: { kind: string; data: unknown; id?: string | undefined }) {
    const { workspaceId, shard } = this.#workspace ?? { workspaceId: '', shard: this.#serviceShard }
    this.#events.push({
      id: id ?? newId('evt'),
      kind,
      workspaceId,
      shard: shard === this.#serviceShard ? '' : shard,
      data,
    })
  }
}

/** An event to be written to the outbox. */
export interface OutboxEvent {
  id: string
  kind: string
  workspaceId: string
  /** Shard of the workspace; empty for the shard of the service itself. */
  shard: string
  data: unknown
}

/** Returns the statement that inserts the events in order. The database sets the time of occurrence. */
export function outboxStatement(caller: Caller, events: readonly OutboxEvent[]): string {
  const actor = escapeLiteral(JSON.stringify(caller.principal))
  const request = escapeLiteral(caller.requestId)
  const trace = caller.traceparent === undefined ? 'NULL' : escapeLiteral(caller.traceparent)
  const rows = events.map(({ id, kind, workspaceId, shard, data }) => {
    const columns = [id, kind, workspaceId, shard].map(escapeLiteral).join(', ')
    return `(${columns}, clock_timestamp(), ${actor}, ${request}, ${trace}, ${escapeLiteral(JSON.stringify(data))})`
  })
  return `INSERT INTO platform.outbox (id, kind, workspace_id, shard, occurred_at, actor, request_id, traceparent, data)
    VALUES ${rows.join(', ')}`
}
