import type { Socket } from 'node:net'
import { JobFailure } from '@wp/jobs'
import { guardPostgresParsing, OutboundError } from '@wp/outbound'
import type { Client, QueryArrayResult } from 'pg'
import type { CrawlRequest } from '../source-reader.ts'
import { type BackendKey, cancelQuery } from './cancel-query.ts'
import { connectTimeoutMs, createClient, singleStatement } from './client.ts'
import { toCrawlFailure } from './postgres-failure.ts'
import type { PostgresSettings } from './settings.ts'
import { beginTransactionSql } from './transaction.ts'

/** A connection to a server within one read-only transaction. */
export interface Session {
  client: Client
  /** Runs a single statement; several in one text are rejected. Values are the text PostgreSQL writes for them. */
  query(text: string, values?: readonly unknown[]): Promise<QueryArrayResult<TextRow>>
  /** Called before a statement is sent. The caller reports its progress to the returned timer. */
  startStatement(): StatementTimer
  /** Ends the transaction and the connection, and cancels a running statement. */
  close(): Promise<void>
  /** Converts an error of this session to the one to throw. */
  toFailure(error: unknown): unknown
}

/** Aborts the connection if the server stops responding during a statement. */
export interface StatementTimer {
  /** Restarts the timer: data has arrived or is awaited again. */
  activity(): void
  /** Stops the timer while no data is awaited. */
  pause(): void
  end(): void
}

/** A row whose values are the text PostgreSQL writes for them. */
export type TextRow = (string | null)[]

/** Silence beyond the statement timeout after which the connection counts as lost. */
const silenceGraceMs = 15_000
const closeTimeoutMs = 2_000
/** Largest response to a statement that is buffered as a whole. */
const maxResponseBytes = 1024 * 1024
/** Largest chunk of fetched rows; a longer row cannot be read. */
const maxFetchBytes = 64 * 1024 * 1024

type SessionOptions = Pick<
  CrawlRequest<{ query: string; statement_timeout_seconds: number }>,
  'config' | 'outbound' | 'signal'
>

interface SessionState extends SessionOptions {
  client: Client
  socket: Socket
  guard: ReturnType<typeof guardPostgresParsing>
  /** Sends a cancel request for the running statement. */
  cancel(): void
  isBusy: boolean
  startedAt: number
  timer: NodeJS.Timeout | undefined
  /** The error to report if this side closed the connection. */
  abortReason: unknown
}

/** Connects, logs in and begins the transaction. @throws JobFailure, or the reason of the signal */
export async function openSession(settings: PostgresSettings, options: SessionOptions): Promise<Session> {
  options.signal.throwIfAborted()
  const state = await connect(settings, options)
  const onAbort = () => abortConnection(state)
  options.signal.addEventListener('abort', onAbort, { once: true })
  if (options.signal.aborted) onAbort()
  const session: Session = {
    client: state.client,
    toFailure: (error) => toFailure(state, error),
    startStatement: () => startStatement(state),
    query: (text, values) => query(state, text, values),
    async close() {
      options.signal.removeEventListener('abort', onAbort)
      await closeConnection(state)
    },
  }
  try {
    await state.client.connect()
    await state.client.query(beginTransactionSql(options.config.statement_timeout_seconds))
    return session
  } catch (error) {
    await session.close()
    throw session.toFailure(error)
  }
}

async function connect(settings: PostgresSettings, options: SessionOptions): Promise<SessionState> {
  const { outbound, signal } = options
  const { host, port } = settings
  const trust = settings.ca === undefined ? { secureContext: outbound.secureContext } : { ca: settings.ca }
  const ssl = settings.ssl === 'disable' ? undefined : { ...trust, rejectUnauthorized: true }
  const openSocket = (abort?: AbortSignal) =>
    outbound.connect({ host, port, connectTimeoutMs, ...(abort && { signal: abort }) })
  const initial = { isBusy: false, startedAt: 0, timer: undefined, abortReason: undefined }
  const socket = await openSocket(signal).catch((error: unknown) => {
    throw toFailure({ ...options, ...initial }, error)
  })
  const client = createClient(socket, settings, ssl)
  let key: BackendKey | undefined
  client.connection.once('backendKeyData', (received: BackendKey) => {
    key = received
  })
  const guard = guardPostgresParsing(client.connection, maxResponseBytes)
  const cancel = () => {
    if (key !== undefined) void cancelQuery(openSocket, host, ssl, key)
  }
  return { ...options, ...initial, client, socket, guard, cancel }
}

function startStatement(state: SessionState): StatementTimer {
  const timeoutMs = state.config.statement_timeout_seconds * 1_000 + silenceGraceMs
  let isAwaited = true
  const onTimeout = () => {
    if (isAwaited) abortConnection(state, new OutboundError('timeout', 'The server stopped responding'))
  }
  state.isBusy = true
  state.guard.allowBytes(maxFetchBytes)
  state.startedAt = performance.now()
  state.timer = setTimeout(onTimeout, timeoutMs)
  return {
    activity() {
      isAwaited = true
      state.timer?.refresh()
    },
    pause() {
      isAwaited = false
      state.guard.allowBytes(maxFetchBytes)
    },
    end() {
      state.isBusy = false
      clearTimeout(state.timer)
    },
  }
}

async function query(
  state: SessionState,
  text: string,
  values: readonly unknown[] = [],
): Promise<QueryArrayResult<TextRow>> {
  const { end } = startStatement(state)
  state.guard.allowBytes(maxResponseBytes)
  try {
    return await state.client.query<TextRow>(singleStatement(text, values))
  } finally {
    end()
  }
}

function abortConnection(state: SessionState, reason?: unknown): void {
  state.abortReason ??= reason
  // A server notices a closed connection only when it writes: a statement that sorts would run until its timeout.
  if (state.isBusy) state.cancel()
  state.socket.destroy()
}

async function closeConnection(state: SessionState): Promise<void> {
  const { client, socket } = state
  clearTimeout(state.timer)
  if (state.isBusy || socket.destroyed) {
    abortConnection(state)
    return
  }
  const timeout = setTimeout(() => socket.destroy(), closeTimeoutMs)
  // The server rolls back the open transaction, so notifications of the query are discarded.
  await client.end().catch(() => undefined)
  clearTimeout(timeout)
  socket.destroy()
}

function toFailure(
  { config, signal, startedAt, abortReason }: Pick<SessionState, 'config' | 'signal' | 'startedAt' | 'abortReason'>,
  error: unknown,
): unknown {
  if (signal.aborted) return signal.reason
  if (error instanceof JobFailure) return error
  const durationMs = performance.now() - startedAt
  const timeoutSeconds = config.statement_timeout_seconds
  return toCrawlFailure(abortReason ?? error, { query: config.query, timeoutSeconds, durationMs })
}
