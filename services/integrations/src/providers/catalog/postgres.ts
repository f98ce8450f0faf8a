import { type ConnectionErrorCode, text } from '@wp/contracts'
import { connectPostgres, OutboundError, type PostgresConnection, PostgresError } from '@wp/outbound'
import { z } from 'zod'
import { ConnectionFailure } from '../connection-failure.ts'
import { defineProvider, host, port, secretText, type TestAccess } from '../provider.ts'

const config = z.strictObject({
  host: host(),
  port: port(5432),
  database: text(63),
  user: text(63),
  ssl: z
    .enum(['verify', 'disable'])
    .default('verify')
    .describe('`verify`: TLS with a certificate that is valid for the host'),
})

const secrets = z.strictObject({
  password: secretText().optional(),
  ca: secretText()
    .refine((pem) => pem.includes('-----BEGIN CERTIFICATE-----'), 'must be a PEM certificate')
    .optional()
    .describe("PEM certificate of the server's certificate authority, if it is not a public one"),
})

/** A PostgreSQL database. */
export const postgres = defineProvider({
  provider: 'postgres',
  name: 'PostgreSQL',
  description: 'A PostgreSQL database',
  config,
  secrets,
  addresses: ({ host, port }) => [{ pointer: '/config/host', host, port }],
  destination: ({ host, port, ssl }) => [host, port, ssl],
  test: async ({ config: { host, port, database, user, ssl }, secrets: { password, ca } }, access) => {
    const { timeoutMs, outbound, signal, workspaceId } = access
    const release = await access.postgresSlots.acquire(workspaceId, signal)
    const tls = ssl === 'disable' ? undefined : { ca }
    try {
      const connection = await connectPostgres(outbound, {
        host,
        port,
        database,
        user,
        password,
        tls,
        signal,
        connectTimeoutMs: timeoutMs,
      })
      await testStatement(access, connection)
    } catch (error) {
      throw error instanceof PostgresError ? toConnectionFailure(error) : error
    } finally {
      release()
    }
  },
})

/** Runs a statement and ends the connection within the time limit of a step. */
async function testStatement(
  { timeoutMs, signal }: Pick<TestAccess, 'timeoutMs' | 'signal'>,
  connection: PostgresConnection,
): Promise<void> {
  const timeout = new OutboundError('timeout', `The server took longer than ${timeoutMs} ms`)
  const timer = setTimeout(() => connection.destroy(timeout), timeoutMs)
  const onAbort = () => connection.destroy(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  try {
    await connection.query('SELECT 1')
    await connection.end()
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
    connection.destroy()
  }
}

/** Maps SQLSTATE codes (PostgreSQL manual, appendix A). */
const toConnectionFailure = (error: PostgresError): ConnectionFailure =>
  new ConnectionFailure(errorCodeOf(error.code), error.message, { cause: error })

function errorCodeOf(sqlState: string): ConnectionErrorCode {
  if (sqlState.startsWith('28')) return 'unauthorized'
  if (sqlState === '3D000') return 'not_found'
  if (sqlState.startsWith('53') || sqlState.startsWith('57')) return 'unavailable'
  return sqlState === '42501' ? 'unauthorized' : 'protocol'
}
