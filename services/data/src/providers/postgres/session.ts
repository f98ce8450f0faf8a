import { JobFailure } from '@wp/jobs'
import {
  connectPostgres,
  OutboundError,
  type PostgresColumn,
  type PostgresConnection,
  type RowChunk,
  type TextRow,
} from '@wp/outbound'
import { maxRowBytes } from '../../parsers/row.ts'
import type { CrawlRequest } from '../source-reader.ts'
import { toCrawlFailure } from './postgres-failure.ts'
import type { PostgresSettings } from './settings.ts'
import { type StatementTimer, startStatementTimer } from './statement-timer.ts'
import { beginTransactionSql } from './transaction.ts'

/** A connection to a server within one read-only transaction. */
export interface Session {
  /** Runs a single statement; several in one text are rejected. Values are the text PostgreSQL writes for them. */
  query(text: string, values?: readonly unknown[]): Promise<{ columns: PostgresColumn[]; rows: TextRow[] }>
  /** Runs a statement and yields at most `maxRows` rows, in chunks. */
  fetch(text: string, maxRows: number): AsyncGenerator<RowChunk, void>
  /** Ends the transaction and the connection, and cancels a running statement. */
  close(): Promise<void>
  /** Converts an error of this session to the one to throw. */
  toFailure(error: unknown): unknown
}

const connectTimeoutMs = 15_000
/** Time beyond the statement timeout after which the connection counts as lost. */
const timeoutGraceMs = 15_000
const fetchLimits = {
  /** bytea has two digits per byte, so no row beyond this length could be stored. */
  maxRowCharacters: 2 * maxRowBytes,
  maxChunkCharacters: 1024 * 1024,
  /** Bytes accepted from the server for each chunk; a longer row cannot be read. */
  maxBytes: 16 * 1024 * 1024,
}

type SessionOptions = Pick<
  CrawlRequest<{ query: string; statement_timeout_seconds: number }>,
  'config' | 'protection' | 'outbound' | 'signal' | 'now' | 'startTimer'
>

interface SessionState extends SessionOptions {
  connection: PostgresConnection
  isBusy: boolean
  /** Time spent waiting for the last statement. */
  durationMs: number
}

/** Connects, logs in and begins the transaction. @throws JobFailure, or the reason of the signal */
export async function openSession(settings: PostgresSettings, options: SessionOptions): Promise<Session> {
  const { outbound, signal, config } = options
  signal.throwIfAborted()
  const { host, port, database, user, password, ssl, ca } = settings
  const tls = ssl === 'disable' ? undefined : { ca }
  const connectOptions = { host, port, database, user, password, tls, connectTimeoutMs, signal }
  const connection = await connectPostgres(outbound, connectOptions).catch((error: unknown) => {
    throw toFailure({ ...options, durationMs: 0 }, error)
  })
  const state: SessionState = { ...options, connection, isBusy: false, durationMs: 0 }
  const onAbort = () => abortConnection(state, signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  const session: Session = {
    toFailure: (error) => toFailure(state, error),
    query: (text, values = []) => runQuery(state, text, values),
    fetch: (text, maxRows) => fetchChunks(state, text, maxRows),
    async close() {
      signal.removeEventListener('abort', onAbort)
      if (state.isBusy) abortConnection(state)
      else await connection.end()
    },
  }
  try {
    await runQuery(state, beginTransactionSql(config.statement_timeout_seconds))
    return session
  } catch (error) {
    await session.close()
    throw session.toFailure(error)
  }
}

async function runQuery(state: SessionState, text: string, values?: readonly unknown[]) {
  const timer = startStatement(state)
  const result = await state.connection.query(text, values).finally(() => {
    state.durationMs = timer.end()
  })
  state.isBusy = false
  return result
}

async function* fetchChunks(state: SessionState, text: string, maxRows: number): AsyncGenerator<RowChunk, void> {
  const timer = startStatement(state)
  try {
    for await (const chunk of state.connection.stream({ text, maxRows, ...fetchLimits })) {
      timer.pause()
      yield chunk
      timer.resume()
    }
    state.isBusy = false
  } finally {
    state.durationMs = timer.end()
  }
}

function startStatement(state: SessionState): StatementTimer {
  state.isBusy = true
  return startStatementTimer(state, state.config.statement_timeout_seconds * 1_000 + timeoutGraceMs, () =>
    abortConnection(state, new OutboundError('timeout', 'The server did not end the statement at its timeout')),
  )
}

function abortConnection(state: SessionState, reason?: Error): void {
  // A server notices a closed connection only when it writes: a statement that sorts would run until its timeout.
  if (state.isBusy) void state.connection.cancel()
  state.isBusy = false
  state.connection.destroy(reason)
}

function toFailure(
  { config, protection, signal, durationMs }: Pick<SessionState, 'config' | 'protection' | 'signal' | 'durationMs'>,
  error: unknown,
): unknown {
  if (signal.aborted) return signal.reason
  if (error instanceof JobFailure) return error
  const timeoutSeconds = config.statement_timeout_seconds
  return toCrawlFailure(error, {
    query: config.query,
    timeoutSeconds,
    durationMs,
    hidesValues: protection !== undefined,
  })
}
