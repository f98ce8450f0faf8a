import { JobFailure } from '@wp/jobs'
import { guardPostgresParsing, OutboundError } from '@wp/outbound'
import type { Client, QueryArrayResult } from 'pg'
import type { CrawlRequest } from '../source-reader.ts'
import { type BackendKey, cancelQuery } from './cancel-query.ts'
import { connectTimeoutMs, createClient, singleStatement } from './client.ts'
import { toCrawlFailure } from './postgres-failure.ts'
import type { PostgresSettings } from './settings.ts'

/** A conversation with a server, within one transaction that only reads. */
export interface Session {
  client: Client
  /** Runs one statement, and refuses several; all values of its rows as PostgreSQL writes them. */
  query(text: string, values?: readonly unknown[]): Promise<QueryArrayResult<TextRow>>
  /** To be called as a statement is sent; whoever sends it tells how it goes. */
  startStatement(): StatementTimer
  /** Leaves the transaction and the server; a statement under way is cancelled. */
  close(): Promise<void>
  /** The reason to give for an error of this conversation. */
  toFailure(error: unknown): unknown
}

/** Listens for a server that says nothing more. */
export interface StatementTimer {
  /** Something came, or is awaited again. */
  activity(): void
  /** Nothing is awaited for now. */
  pause(): void
  end(): void
}

/** A row as it comes. */
export type TextRow = (string | null)[]

/** How much longer than the statement may take a server may be silent: then it is gone, or nobody at all. */
const silenceGraceMs = 15_000
const endTimeoutMs = 2_000
/** Of an answer that is held until it is over, and of a stretch of rows as it comes: a longer row cannot be read. */
const [maxAnswerBytes, maxStretchBytes] = [1024 * 1024, 64 * 1024 * 1024]

/**
 * One snapshot of everything, in which nothing can be written. All settings are the transaction's own and end with it:
 * behind a pooler the next client would find what is set for the session, `default_transaction_read_only` too. The query
 * cannot leave the transaction, being read through a cursor and sent as one statement. Values are written in one way,
 * whatever server and role have set.
 */
const beginTransactionSql = (timeoutSeconds: number) =>
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

type SessionOptions = Pick<
  CrawlRequest<{ query: string; statement_timeout_seconds: number }>,
  'config' | 'outbound' | 'signal'
>

/** Connects, logs in and begins the transaction. @throws JobFailure, or the signal's reason */
export async function openSession(
  settings: PostgresSettings,
  { config, outbound, signal }: SessionOptions,
): Promise<Session> {
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
    return toCrawlFailure(reason ?? error, { query: config.query, timeoutSeconds, durationMs: tookMs })
  }
  const connect = (unless?: AbortSignal) =>
    outbound.connect({ host, port, connectTimeoutMs, ...(unless && { signal: unless }) })
  const trust = settings.ca === undefined ? { secureContext: outbound.secureContext } : { ca: settings.ca }
  const ssl = settings.ssl === 'disable' ? undefined : { ...trust, rejectUnauthorized: true }

  const socket = await connect(signal).catch((error: unknown) => {
    throw explain(error)
  })
  const client = createClient(socket, settings, ssl)
  const guard = guardPostgresParsing(client.connection, maxAnswerBytes)
  let key: BackendKey | undefined
  client.connection.once('backendKeyData', (given: BackendKey) => {
    key = given
  })
  let isBusy = false
  let timer: NodeJS.Timeout | undefined
  function abortConnection(why?: unknown): void {
    reason ??= why
    // Only a server that writes notices that nobody listens; one that sorts would go on until its time is over.
    if (isBusy && key !== undefined) void cancelQuery(connect, host, ssl, key)
    socket.destroy()
  }
  const onAbort = () => abortConnection()
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()

  const session: Session = {
    client,
    toFailure: explain,
    startStatement() {
      isBusy = true
      guard.allowBytes(maxStretchBytes)
      startedAt = performance.now()
      let isAwaited = true
      const late = () => isAwaited && abortConnection(new OutboundError('timeout', 'The server fell silent'))
      timer = setTimeout(late, timeoutSeconds * 1_000 + silenceGraceMs)
      return {
        activity() {
          isAwaited = true
          timer?.refresh()
        },
        pause() {
          isAwaited = false
          guard.allowBytes(maxStretchBytes)
        },
        end() {
          isBusy = false
          clearTimeout(timer)
        },
      }
    },
    async query(text, values) {
      const { end } = session.startStatement()
      guard.allowBytes(maxAnswerBytes)
      try {
        return await client.query<TextRow>(singleStatement(text, values))
      } finally {
        end()
      }
    },
    async close() {
      signal.removeEventListener('abort', onAbort)
      clearTimeout(timer)
      if (isBusy || socket.destroyed) return abortConnection()
      const limit = setTimeout(() => socket.destroy(), endTimeoutMs)
      // The server rolls back what is open when it is left; so what the query notified of is told nobody.
      await client.end().catch(() => undefined)
      clearTimeout(limit)
      socket.destroy()
    },
  }
  try {
    await client.connect()
    await client.query(beginTransactionSql(timeoutSeconds))
    return session
  } catch (error) {
    await session.close()
    throw explain(error)
  }
}
