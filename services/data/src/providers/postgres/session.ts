import { JobFailure } from '@wp/jobs'
import { guardParsing, OutboundError } from '@wp/outbound'
import type { Client, QueryArrayResult } from 'pg'
import type { Crawl } from '../provider.ts'
import { type BackendKey, cancelQuery } from './cancel.ts'
import { clientOver, connectTimeoutMs, inOne } from './client.ts'
import { failureOf } from './failure.ts'
import type { Settings } from './settings.ts'

/** A conversation with a server, within one transaction that only reads. */
export interface Session {
  client: Client
  /** Runs one statement, and refuses several; all values of its rows as PostgreSQL writes them. */
  ask(text: string, values?: readonly unknown[]): Promise<QueryArrayResult<Cells>>
  /** To be called as a statement is sent; whoever sends it tells how it goes. */
  begin(): Watch
  /** Leaves the transaction and the server; a statement under way is cancelled. */
  close(): Promise<void>
  /** The reason to give for an error of this conversation. */
  explain(error: unknown): unknown
}

/** Listens for a server that says nothing more. */
export interface Watch {
  /** Something came, or is awaited again. */
  heard(): void
  /** Nothing is awaited for now. */
  paused(): void
  ended(): void
}

/** A row as it comes. */
export type Cells = (string | null)[]

/** How much longer than the statement may take a server may be silent: then it is gone, or nobody at all. */
const silenceMs = 15_000
const endTimeoutMs = 2_000
/** Of an answer that is held until it is over, and of a stretch of rows as it comes: a longer row cannot be read. */
const [maxAnswerBytes, maxStretchBytes] = [1024 * 1024, 64 * 1024 * 1024]

/**
 * One snapshot of everything, in which nothing can be written. All settings are the transaction's own and end with it:
 * behind a pooler the next client would find what is set for the session, `default_transaction_read_only` too. The query
 * cannot leave the transaction, being read through a cursor and sent as one statement. Values are written in one way,
 * whatever server and role have set.
 */
const beginning = (timeoutSeconds: number) =>
  [
    'BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY',
    `SET LOCAL statement_timeout = ${timeoutSeconds * 1_000}`,
    'SET LOCAL lock_timeout = 10000',
    // Between two pages they are stored, which may have to wait; a crawl whose machine vanished is not waited for.
    'SET LOCAL idle_in_transaction_session_timeout = 600000',
    // All rows are read, so the quickest plan for all is wanted, not that for the first ones.
    'SET LOCAL cursor_tuple_fraction = 1',
    "SET LOCAL timezone = 'UTC'",
    "SET LOCAL datestyle = 'ISO, YMD'",
    "SET LOCAL intervalstyle = 'iso_8601'",
    "SET LOCAL bytea_output = 'hex'",
    'SET LOCAL extra_float_digits = 1',
  ].join('; ')

type Asking = Pick<Crawl<{ query: string; statement_timeout_seconds: number }>, 'config' | 'outbound' | 'signal'>

/** Connects, logs in and begins the transaction. @throws JobFailure, or the signal's reason */
export async function openSession(settings: Settings, { config, outbound, signal }: Asking): Promise<Session> {
  signal.throwIfAborted()
  const { host, port } = settings
  const timeoutSeconds = config.statement_timeout_seconds
  let startedAt = 0
  /** Why we hung up, where we did. */
  let reason: unknown
  const explain = (error: unknown): unknown => {
    if (signal.aborted) return signal.reason
    if (error instanceof JobFailure) return error
    const tookMs = performance.now() - startedAt
    return failureOf(reason ?? error, { query: config.query, timeoutSeconds, tookMs })
  }
  const dial = (unless?: AbortSignal) =>
    outbound.connect({ host, port, connectTimeoutMs, ...(unless && { signal: unless }) })
  const trust = settings.ca === undefined ? { secureContext: outbound.secureContext } : { ca: settings.ca }
  const ssl = settings.ssl === 'disable' ? undefined : { ...trust, rejectUnauthorized: true }

  const socket = await dial(signal).catch((error: unknown) => {
    throw explain(error)
  })
  const client = clientOver(socket, settings, ssl)
  const guard = guardParsing(client.connection, maxAnswerBytes)
  let key: BackendKey | undefined
  client.connection.once('backendKeyData', (given: BackendKey) => {
    key = given
  })
  let isBusy = false
  let timer: NodeJS.Timeout | undefined
  function hangUp(why?: unknown): void {
    reason ??= why
    // Only a server that writes notices that nobody listens; one that sorts would go on until its time is over.
    if (isBusy && key !== undefined) void cancelQuery(dial, host, ssl, key)
    socket.destroy()
  }
  const onAbort = () => hangUp()
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()

  const session: Session = {
    client,
    explain,
    begin() {
      isBusy = true
      guard.allow(maxStretchBytes)
      startedAt = performance.now()
      let isAwaited = true
      const late = () => isAwaited && hangUp(new OutboundError('timeout', 'The server fell silent'))
      timer = setTimeout(late, timeoutSeconds * 1_000 + silenceMs)
      return {
        heard() {
          isAwaited = true
          timer?.refresh()
        },
        paused() {
          isAwaited = false
          guard.allow(maxStretchBytes)
        },
        ended() {
          isBusy = false
          clearTimeout(timer)
        },
      }
    },
    async ask(text, values) {
      const { ended } = session.begin()
      guard.allow(maxAnswerBytes)
      try {
        return await client.query<Cells>(inOne(text, values))
      } finally {
        ended()
      }
    },
    async close() {
      signal.removeEventListener('abort', onAbort)
      clearTimeout(timer)
      if (isBusy || socket.destroyed) return hangUp()
      const limit = setTimeout(() => socket.destroy(), endTimeoutMs)
      // The server rolls back what is open when it is left; so what the query notified of is told nobody.
      await client.end().catch(() => undefined)
      clearTimeout(limit)
      socket.destroy()
    },
  }
  try {
    await client.connect()
    await client.query(beginning(timeoutSeconds))
    return session
  } catch (error) {
    await session.close()
    throw explain(error)
  }
}
