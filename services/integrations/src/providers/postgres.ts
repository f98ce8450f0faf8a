import { type ConnectionErrorCode, text } from '@wp/contracts'
import { asPreconnectedSocket, guardPostgresParsing } from '@wp/outbound'
import { Client, DatabaseError } from 'pg'
import { z } from 'zod'
import { ConnectionFailure, factsOf } from '../connections/failure.ts'
import { within } from '../connections/within.ts'
import { defineProvider, type Outside } from './provider.ts'
import { host, port, secretText } from './shapes.ts'

const config = z.strictObject({
  host: host(),
  port: port(5432),
  database: text(63),
  user: text(63),
  ssl: z
    .enum(['verify', 'disable'])
    .default('verify')
    .meta({ description: '`verify`: TLS, with a certificate that holds for the host' }),
})

const secrets = z.strictObject({
  password: secretText().optional(),
  ca: secretText()
    .refine((pem) => pem.includes('-----BEGIN CERTIFICATE-----'), 'must be a PEM certificate')
    .optional()
    .meta({ description: "PEM certificate of the server's authority, where that is not a public one" }),
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
  test: async (connection, outside) => {
    const { host, port } = connection.config
    const { timeoutMs, outbound } = outside
    const socket = await outbound.connect({ host, port, connectTimeoutMs: timeoutMs })
    await within(timeoutMs, 'The server', socket, async () => {
      const client = new Client(settingsOf(connection, outside, () => asPreconnectedSocket(socket)))
      // What happens to the connection once it was judged is nobody's business any more.
      client.on('error', () => {})
      guardPostgresParsing(client.connection, maxAnswerBytes)
      try {
        await client.connect()
        await client.query('SELECT 1')
        await client.end()
      } catch (error) {
        throw asFailure(error)
      }
    })
  },
})

/** Of all that is said while a connection is tried. */
const maxAnswerBytes = 1024 * 1024

interface Connection {
  config: z.output<typeof config>
  secrets: z.output<typeof secrets>
}

function settingsOf(
  { config: { host, port, database, user, ssl }, secrets: { password, ca } }: Connection,
  { outbound, timeoutMs }: Outside,
  stream: () => ReturnType<typeof asPreconnectedSocket>,
) {
  const trust = ca === undefined ? { secureContext: outbound.secureContext } : { ca }
  return {
    ...{ host, port, database, user, stream },
    // Never none: `pg` would look for the operator's, in the environment and in files.
    password: () => password ?? '',
    ssl: ssl === 'disable' ? false : { ...trust, rejectUnauthorized: true },
    application_name: 'workspace-platform',
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
  }
}

/** PostgreSQL, appendix A; and what Node says of a TLS connection. */
function asFailure(error: unknown): ConnectionFailure {
  if (error instanceof ConnectionFailure) return error
  const { code, message } = factsOf(error)
  const fail = (reason: ConnectionErrorCode, text: string) => new ConnectionFailure(reason, text, { cause: error })
  if (error instanceof DatabaseError) return fail(reasonOf(code), message)
  if (/password/i.test(message)) return fail('unauthorized', 'The server asks for a password')
  if (/does not support SSL/i.test(message)) return fail('tls', 'The server does not speak TLS')
  if (isOfTls(code)) return fail('tls', `No trusted TLS connection: ${message}`)
  if (/timeout/i.test(message)) return fail('timeout', message)
  return fail('protocol', `The server does not answer like PostgreSQL: ${message}`)
}

function reasonOf(sqlState: string): ConnectionErrorCode {
  if (sqlState.startsWith('28')) return 'unauthorized'
  if (sqlState === '3D000') return 'not_found'
  if (sqlState.startsWith('53') || sqlState.startsWith('57')) return 'unavailable'
  return sqlState === '42501' ? 'unauthorized' : 'protocol'
}

/** Whether an error's code is one of OpenSSL or of a certificate: `CERT_HAS_EXPIRED`, `ERR_TLS_…`, `SELF_SIGNED_…`. */
const isOfTls = (code: string): boolean => /CERT|TLS|SSL|SIGNATURE|SELF_SIGNED/.test(code)
