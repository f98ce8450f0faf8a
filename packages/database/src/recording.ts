import { auditRecorded, type Caller, type RequestCaller, type WebhookEventKind, webhookEvents } from '@wp/contracts'
import { auditData } from './audit.ts'
import { newId } from './id.ts'
import type { Lease } from './lease.ts'
import type { OutboxEvent } from './outbox.ts'
import type { Query } from './query.ts'
import type { ScopedClient } from './scoped-client.ts'
import type { AuditDetails, EmittedEvent, Transaction } from './transaction.ts'

/** One run of a transaction's work: hands out the connection and remembers what shall be true with the commit. */
export class Recording<Client> implements Transaction<Client> {
  readonly db: ScopedClient<Client>
  readonly query: Query
  readonly wakes = new Set<string>()
  readonly actions: (() => void | Promise<void>)[] = []
  readonly #caller: RequestCaller
  readonly #events: OutboxEvent[] = []
  #workspaceId: string | null
  #audit: AuditDetails | undefined

  constructor(caller: RequestCaller, db: ScopedClient<Client>, lease: Lease) {
    this.#caller = caller
    this.#workspaceId = caller.workspaceId
    this.db = db
    this.query = lease.query
  }

  get workspaceId(): string | null {
    return this.#workspaceId
  }

  async enterWorkspace(workspaceId: string | null): Promise<void> {
    await this.query(`SELECT set_config('app.workspace_id', $1, true)`, [workspaceId ?? ''])
    this.#workspaceId = workspaceId
  }

  emit<Kind extends WebhookEventKind>({ kind, data, workspaceId, id }: EmittedEvent<Kind>): void {
    this.#put({ kind, data: webhookEvents[kind].data.parse(data), workspaceId, id })
  }

  audit(details: AuditDetails): void {
    this.#audit = { ...this.#audit, ...details }
  }

  auditAlso(
    details: AuditDetails & Required<Pick<AuditDetails, 'action' | 'targets'>>,
    actor: Caller['principal'] = this.#caller.principal,
  ): void {
    this.#put({ kind: auditRecorded.kind, data: auditData({ ...this.#caller, principal: actor }, details, undefined) })
  }

  wake(queue: string): void {
    this.wakes.add(queue)
  }

  afterCommit(action: () => void | Promise<void>): void {
    this.actions.push(action)
  }

  /** Everything for the outbox, once the work has its result: what was emitted, then the audit event. */
  events(result: unknown): readonly OutboxEvent[] {
    const data = auditData(this.#caller, this.#audit, result)
    if (data !== undefined) this.#put({ kind: auditRecorded.kind, data })
    if (this.#events.length > 0) this.wake('outbox')
    return this.#events
  }

  #put({
    kind,
    data,
    workspaceId,
    id,
  }: {
    kind: string
    data: unknown
    workspaceId?: string | undefined
    id?: string | undefined
  }) {
    this.#events.push({ id: id ?? newId('evt'), kind, workspaceId: workspaceId ?? this.#workspaceId ?? '', data })
  }
}
