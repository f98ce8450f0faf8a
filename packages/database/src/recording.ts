import { auditRecorded, type Caller, type RequestCaller, type WebhookEventKind, webhookEvents } from '@wp/contracts'
import { auditData } from './audit.ts'
import { newId } from './id.ts'
import type { Lease } from './lease.ts'
import type { OutboxEvent } from './outbox.ts'
import type { Query } from './query.ts'
import type { ScopedClient } from './scoped-client.ts'
import type { AuditDetails, EmittedEvent, Place, Transaction } from './transaction.ts'

/** One run of a transaction's work: hands out the connection and remembers what shall be true with the commit. */
export class Recording<Client> implements Transaction<Client> {
  readonly db: ScopedClient<Client>
  readonly query: Query
  readonly wakes = new Set<string>()
  readonly actions: (() => void | Promise<void>)[] = []
  readonly #caller: RequestCaller
  readonly #events: OutboxEvent[] = []
  readonly #home: string
  #place: Place | null
  #audit: AuditDetails | undefined

  /** @param home the shard of the service itself */
  constructor(caller: RequestCaller, db: ScopedClient<Client>, lease: Lease, home: string) {
    const { workspaceId, shard } = caller
    this.#caller = caller
    this.#home = home
    this.#place = workspaceId === null ? null : { workspaceId, shard }
    this.db = db
    this.query = lease.query
  }

  get workspaceId(): string | null {
    return this.#place?.workspaceId ?? null
  }

  get place(): Place | null {
    return this.#place
  }

  async enterWorkspace(place: Place | null): Promise<void> {
    await this.query(`SELECT set_config('app.workspace_id', $1, true)`, [place?.workspaceId ?? ''])
    this.#place = place
  }

  emit<Kind extends WebhookEventKind>({ kind, data, id }: EmittedEvent<Kind>): void {
    this.#put({ kind, data: webhookEvents[kind].data.parse(data), id })
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

  #put({ kind, data, id }: { kind: string; data: unknown; id?: string | undefined }) {
    const { workspaceId, shard } = this.#place ?? { workspaceId: '', shard: this.#home }
    this.#events.push({
      id: id ?? newId('evt'),
      kind,
      workspaceId,
      shard: shard === this.#home ? '' : shard,
      data,
    })
  }
}
