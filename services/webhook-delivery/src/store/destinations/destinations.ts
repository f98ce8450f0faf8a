import {
  type DestinationConfig,
  type EventFilter,
  type eventDestinations,
  type InputOf,
  type Page,
  problem,
} from '@wp/contracts'
import {
  afterCursor,
  contains,
  countRows,
  definedFields,
  mapPage,
  matchMetadata,
  newId,
  paginateBy,
} from '@wp/database'
import { type EventDestination, Prisma } from '#db'
import type { Db, Tx } from '../client.ts'
import { destinationQueue } from './progress.ts'

export type { EventDestination }

/** An event destination with the position of the newest record of the log that it reads. */
export type DestinationRow = EventDestination & { headSeq: number }

export const destinationQuota = countRows('event_destinations', 'event_destinations')

export const createDestinationId = () => newId('dest')

/** Returns an event destination. @throws Problem `not_found`, also for another workspace's */
export async function findDestination(db: Db, workspaceId: string, destinationId: string): Promise<DestinationRow> {
  const row = await db.eventDestination.findFirst({ where: { workspaceId, destinationId } })
  if (row === null) throw problem('not_found')
  return (await readHeads(db, workspaceId))(row)
}

/** Locks an event destination until the transaction ends and returns it. @throws Problem `not_found` */
export async function lockDestination(tx: Tx, workspaceId: string, destinationId: string): Promise<EventDestination> {
  await tx.query('SELECT 1 FROM event_destinations WHERE workspace_id = $1 AND destination_id = $2 FOR NO KEY UPDATE', [
    workspaceId,
    destinationId,
  ])
  return findDestination(tx.db, workspaceId, destinationId)
}

/** Returns one page of the event destinations, newest first. */
export async function findDestinations(
  db: Db,
  workspaceId: string,
  filter: InputOf<typeof eventDestinations.listDestinations>['query'],
): Promise<Page<DestinationRow>> {
  const { limit, cursor, content, status, external_id: externalId, search, metadata } = filter
  const rows = await db.eventDestination.findMany({
    where: {
      workspaceId,
      ...definedFields({ content, status, externalId }),
      AND: [...(search === undefined ? [] : [{ name: contains(search) }]), ...(matchMetadata(metadata).AND ?? [])],
      ...afterCursor(cursor, 'destinationId'),
    },
    orderBy: [{ createdAt: 'desc' }, { destinationId: 'desc' }],
    take: limit + 1,
  })
  return mapPage(paginateBy(rows, limit, 'destinationId'), await readHeads(db, workspaceId))
}

/** Returns a function that adds the position of the newest record. */
async function readHeads(db: Db, workspaceId: string): Promise<(row: EventDestination) => DestinationRow> {
  const heads = await db.destinationLogHead.findMany({ where: { workspaceId } })
  const seqOf = new Map(heads.map(({ content, seq }) => [content, Number(seq)]))
  return (row) => ({ ...row, headSeq: seqOf.get(row.content) ?? 0 })
}

/** The part of an event destination that users set, with the position at which it begins. */
export interface NewDestinationRow {
  destinationId: string
  workspaceId: string
  name: string
  content: string
  events: string[]
  filter: EventFilter | null
  format: string
  config: DestinationConfig
  secretsSealed: string | null
  metadata: Record<string, string>
  externalId: string | null
  createdBy: string
  /** The newest record of an audit log; events begin at the newest one of the log that is kept here. */
  auditHead: number
}

export async function insertDestination(tx: Tx, { auditHead, ...row }: NewDestinationRow): Promise<DestinationRow> {
  const { workspaceId, content, destinationId } = row
  if (content === 'audit') await raiseHead(tx, workspaceId, auditHead)
  const head = await tx.db.destinationLogHead.findFirst({ where: { workspaceId, content } })
  // An audit log begins at its head of now, which the stored one may already have passed.
  const position = content === 'audit' ? auditHead : (head?.seq ?? 0n)
  await tx.db.eventDestination.create({
    data: { ...row, filter: row.filter ?? Prisma.DbNull, config: { ...row.config }, position },
  })
  tx.wake(destinationQueue)
  return findDestination(tx.db, workspaceId, destinationId)
}

const raiseHead = (tx: Tx, workspaceId: string, seq: number) =>
  tx.query(
    `INSERT INTO destination_log_heads (workspace_id, content, seq) VALUES ($1, 'audit', $2)
     ON CONFLICT (workspace_id, content) DO UPDATE SET seq = greatest(destination_log_heads.seq, excluded.seq)`,
    [workspaceId, seq],
  )

export type DestinationChange = Partial<
  Pick<
    NewDestinationRow,
    'name' | 'events' | 'filter' | 'format' | 'config' | 'secretsSealed' | 'metadata' | 'externalId'
  >
> & { status?: string; disabledReason?: string | null; disabledAt?: Date | null }

/**
 * Updates an event destination.
 * @param isRetried true to repeat a failed write at once and to forget earlier failures
 */
export async function updateDestinationRow(
  tx: Tx,
  { workspaceId, destinationId }: Pick<EventDestination, 'workspaceId' | 'destinationId'>,
  { filter, config, ...change }: DestinationChange,
  isRetried: boolean,
): Promise<DestinationRow> {
  const [now] = await tx.query<{ now: Date }>('SELECT now()')
  const nowAt = now?.now ?? new Date()
  const healthy = { nextAttemptAt: null, consecutiveFailures: 0, failingSince: null, lastHealthyAt: nowAt }
  await tx.db.eventDestination.update({
    where: { workspaceId, destinationId },
    data: {
      ...change,
      ...(filter === undefined ? {} : { filter: filter ?? Prisma.DbNull }),
      ...(config === undefined ? {} : { config: { ...config } }),
      ...(isRetried ? { ...healthy, lastErrorCode: null, lastErrorMessage: null } : {}),
      updatedAt: nowAt,
    },
  })
  if (isRetried) tx.wake(destinationQueue)
  return findDestination(tx.db, workspaceId, destinationId)
}

/** Sets the position of an event destination back, and forgets the batch that is being written. */
export async function setPosition(tx: Tx, destinationId: string, position: number): Promise<void> {
  await tx.query('UPDATE event_destinations SET position = $2, batch_end = NULL WHERE destination_id = $1', [
    destinationId,
    position,
  ])
  tx.wake(destinationQueue)
}

/** Removes an event destination. @throws Problem `not_found` */
export async function removeDestination(tx: Tx, workspaceId: string, destinationId: string): Promise<void> {
  const { count } = await tx.db.eventDestination.deleteMany({ where: { workspaceId, destinationId } })
  if (count === 0) throw problem('not_found')
}
