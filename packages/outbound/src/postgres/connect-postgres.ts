import { abortedError, type Deadline, startDeadline } from '../connection/deadline.ts'
import { OutboundError } from '../error.ts'
import type { Outbound } from '../outbound.ts'
import { cancelQuery, type PostgresOptions } from './cancel-query.ts'
import type { BackendKey, PostgresColumn, PostgresStatement, RowChunk, TextRow } from './child-messages.ts'
import { PostgresProcess } from './postgres-process.ts'

/**
 * A connection to a PostgreSQL server that a user chose. A child process parses what the server sends, so that a
 * malicious server can exhaust or block that process only. Every error is a PostgresError, an OutboundError, or the
 * reason of `destroy`.
 */
export interface PostgresConnection {
  /** Process id of the child process. */
  readonly pid: number | undefined
  /** Runs a statement whose whole response is small. */
  query(text: string, values?: readonly unknown[]): Promise<{ columns: PostgresColumn[]; rows: TextRow[] }>
  /** Runs a statement and yields its rows. Nothing more is read from the server while the consumer is busy. */
  stream(statement: PostgresStatement): AsyncGenerator<RowChunk, void>
  /** Requests the cancellation of the running statement. Never rejects. */
  cancel(): Promise<void>
  /** Ends the connection; the server rolls back an open transaction. */
  end(): Promise<void>
  /** Closes the connection at once. */
  destroy(reason?: Error): void
}

/** Limits of the response to `query`. It comes in one chunk, since the bytes are counted for each. */
const wholeResponse = {
  maxRows: Number.POSITIVE_INFINITY,
  maxRowCharacters: Number.POSITIVE_INFINITY,
  maxChunkCharacters: Number.POSITIVE_INFINITY,
  maxBytes: 1024 * 1024,
}
/** A server that does not close the connection is not waited for. */
const endTimeoutMs = 2_000

/** Connects under the rules of the guarded client and logs in. @throws PostgresError, OutboundError */
export async function connectPostgres(
  outbound: Pick<Outbound, 'connect' | 'secureContext' | 'authorities'>,
  options: PostgresOptions,
): Promise<PostgresConnection> {
  const { host, port, connectTimeoutMs, signal } = options
  const deadline = startDeadline(connectTimeoutMs, `connecting to ${host}`, signal)
  try {
    const socket = await outbound.connect({ host, port, connectTimeoutMs, signal: deadline.signal })
    const child = new PostgresProcess(socket)
    child.send({ kind: 'login', login: loginOf(outbound, options) })
    const key = await waitForLogin(child, deadline)
    return createConnection(child, () => (key === undefined ? undefined : cancelQuery(outbound, options, key)))
  } finally {
    deadline.release()
  }
}

function loginOf(
  { authorities }: Pick<Outbound, 'authorities'>,
  { host, port, database, user, password, tls }: PostgresOptions,
) {
  const replacesDefaults = tls?.ca !== undefined
  return {
    host,
    port,
    database,
    user,
    password,
    tls: tls && { authorities: tls.ca === undefined ? authorities : [tls.ca], replacesDefaults },
  }
}

async function waitForLogin(child: PostgresProcess, { signal }: Deadline): Promise<BackendKey | undefined> {
  const onAbort = () => child.kill(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  try {
    const message = await child.receive()
    if (message.kind !== 'ready') throw new Error(`unexpected message ${message.kind}`)
    return message.key
  } catch (error) {
    child.kill(abortedError())
    throw error
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

function createConnection(child: PostgresProcess, cancel: () => Promise<void> | undefined): PostgresConnection {
  async function* run(statement: PostgresStatement): AsyncGenerator<RowChunk, PostgresColumn[]> {
    child.send({ kind: 'statement', statement })
    for (;;) {
      const message = await child.receive()
      if (message.kind === 'done') return message.columns
      if (message.kind !== 'rows') throw new Error(`unexpected message ${message.kind}`)
      yield message.chunk
      child.send({ kind: 'next' })
    }
  }
  return {
    pid: child.pid,
    async query(text, values) {
      const chunks = run({ text, ...(values && { values }), ...wholeResponse })
      const rows: TextRow[] = []
      for (;;) {
        const next = await chunks.next()
        if (next.done === true) return { columns: next.value, rows }
        for (const row of next.value.rows) rows.push(row)
      }
    },
    async *stream(statement) {
      yield* run(statement)
    },
    async cancel() {
      await cancel()
    },
    async end() {
      const timer = setTimeout(() => child.kill(abortedError()), endTimeoutMs)
      child.send({ kind: 'end' })
      await child.waitForExit()
      clearTimeout(timer)
    },
    destroy: (reason = new OutboundError('aborted', 'the connection was closed')) => child.kill(reason),
  }
}
