import { type ConnectionErrorCode, text } from '@wp/contracts'
import { asPreconnectedSocket, guardPostgresParsing } from '@wp/outbound'
import { Client, DatabaseError } from 'pg'
import { z } from 'zod'
import { ConnectionFailure, errorDetailsOf } from '../connection-failure.ts'
import { defineProvider, type TestAccess } from '../provider.ts'
import { host, port, secretText } from '../shapes.ts'
import { withSocketTimeout } from '../socket-timeout.ts'

const config = z.strictObject({
  host: host(),
  port: port(5432),
  database: text(63),
  user: text(63),
  ssl: z
    .enum(['verify', 'disable'])
    .default('verify')
    .meta({ description: '`verify`: TLS with a certificate that is valid for the host' }),
})

const secrets = z.strictObject({
  password: secretText().optional(),
  ca: secretText()
    .refine((pem) => pem.includes('-----BEGIN CERTIFICATE-----'), 'must be a PEM certificate')
    .optional()
    .meta({ description: "PEM certificate of the server's certificate authority, if it is not a public one" }),
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
  test: async (connection, access) => {
    const { host, port } = connection.config
    const { timeoutMs, outbound, signal } = access
    const socket = await outbound.connect({ host, port, connectTimeoutMs: timeoutMs, signal })
    await withSocketTimeout(access, 'The server', socket, async () => {
      const client = new Client(settingsOf(connection, access, () => asPreconnectedSocket(socket)))
      // An error event after the test has ended would terminate the process if nothing listened.
      client.on('error', () => {})
      guardPostgresParsing(client.connection, maxResponseBytes)
      try {
        await client.connect()
        await client.query('SELECT 1')
        await client.end()
      } catch (error) {
        throw postgresFailure(error)
      }
    })
  },
})

/** Of all that is detail while a connection is tried. */
const maxResponseBytes = 1024 * 1024

interface Connection {
  config: z.output<typeof config>
  secrets: z.output<typeof secrets>
}

function settingsOf(
  { config: { host, port, database, user, ssl }, secrets: { password, ca } }: Connection,
  { outbound, timeoutMs }: TestAccess,
  stream: () => ReturnType<typeof asPreconnectedSocket>,
) {
  const trust = ca === undefined ? { secureContext: outbound.secureContext } : { ca }
  return {
    ...{ host, port, database, user, stream },
    // Always set: without a password, pg would read one from the operator's environment or files.
    password: () => password ?? '',
    ssl: ssl === 'disable' ? false : { ...trust, rejectUnauthorized: true },
    application_name: 'workspace-platform',
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
  }
}

/** Maps SQLSTATE codes (PostgreSQL manual, appendix A) and TLS errors of Node. */
function postgresFailure(error: unknown): ConnectionFailure {
  if (error instanceof ConnectionFailure) return error
  const { code, message } = errorDetailsOf(error)
  const fail = (reason: ConnectionErrorCode, text: string) => new ConnectionFailure(reason, text, { cause: error })
  if (error instanceof DatabaseError) return fail(errorCodeOf(code), message)
  if (/password/i.test(message)) return fail('unauthorized', 'The server requires a password')
  if (/does not support SSL/i.test(message)) return fail('tls', 'The server does not support TLS')
  if (isTlsErrorCode(code)) return fail('tls', `The TLS connection is not trusted: ${message}`)
  if (/timeout/i.test(message)) return fail('timeout', message)
  return fail('protocol', `The server does not respond like PostgreSQL: ${message}`)
}

function errorCodeOf(sqlState: string): ConnectionErrorCode {
  if (sqlState.startsWith('28')) return 'unauthorized'
  if (sqlState === '3D000') return 'not_found'
  if (sqlState.startsWith('53') || sqlState.startsWith('57')) return 'unavailable'
  return sqlState === '42501' ? 'unauthorized' : 'protocol'
}

/** Returns true for error codes of OpenSSL and certificates: `CERT_HAS_EXPIRED`, `ERR_TLS_…`, `SELF_SIGNED_…`. */
const isTlsErrorCode = (code: string): boolean => /CERT|TLS|SSL|SIGNATURE|SELF_SIGNED/.test(code)
