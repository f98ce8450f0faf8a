import type { Socket } from 'node:net'
import { type ConnectionErrorCode, text } from '@wp/contracts'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import { z } from 'zod'
import { ConnectionFailure, factsOf } from '../connections/failure.ts'
import { within } from '../connections/within.ts'
import { defineProvider, type Outside } from './provider.ts'
import { host, port, secretText } from './shapes.ts'

const config = z.strictObject({
  host: host(),
  port: port(587),
  user: text(320).optional(),
  security: z
    .enum(['starttls', 'tls', 'none'])
    .default('starttls')
    .meta({ description: '`starttls` (587), `tls` from the first byte (465), or `none`' }),
})

const secrets = z.strictObject({ password: secretText().optional() })

/** RFC 5321, 6409 and 8314: ports of mail that are below those every client may call. */
const ports = [25, 465, 587].map((each) => ({ from: each, to: each }))

/** A mail server. */
export const smtp = defineProvider({
  provider: 'smtp',
  name: 'SMTP',
  description: 'A mail server to send through',
  config,
  secrets,
  check: ({ user }, { password }) =>
    (user === undefined) === (password === undefined)
      ? []
      : [
          user === undefined
            ? { pointer: '/config/user', detail: 'is required with a password' }
            : { pointer: '/secrets/password', detail: 'is required with a user' },
        ],
  addresses: ({ host, port }) => [{ pointer: '/config/host', host, port, ports }],
  destination: ({ host, port, security }) => [host, port, security],
  async test({ config: { host, port, user, security }, secrets: { password } }, outside) {
    const { timeoutMs, outbound } = outside
    const socket = await outbound.connect({ host, port, ports, tls: security === 'tls', connectTimeoutMs: timeoutMs })
    await within(timeoutMs, 'The mail server', socket, async () => {
      const mail = new SMTPConnection(settingsOf(socket, { host, port, security }, outside))
      try {
        await greeted(mail)
        if (user !== undefined && password !== undefined) await loggedIn(mail, { user, pass: password })
        mail.quit()
      } catch (error) {
        mail.close()
        throw asFailure(error)
      }
    })
  },
})

function settingsOf(
  connection: Socket,
  { host, port, security }: Pick<z.output<typeof config>, 'host' | 'port' | 'security'>,
  { outbound, timeoutMs }: Outside,
) {
  return {
    ...{ connection, host, port },
    secure: security === 'tls',
    secured: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    tls: { secureContext: outbound.secureContext, rejectUnauthorized: true },
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  }
}

/** The server has greeted us, TLS stands where it was asked for. */
function greeted(mail: SMTPConnection): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  // Stays: an emitter of errors that nobody listens to would end the process.
  mail.on('error', reject)
  mail.once('end', () => reject(new Error('the connection was closed')))
  mail.connect((error) => (error ? reject(error) : resolve()))
  return promise
}

function loggedIn(mail: SMTPConnection, credentials: { user: string; pass: string }): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  mail.once('end', () => reject(new Error('the connection was closed')))
  mail.once('error', reject)
  mail.login({ credentials }, (error) => (error ? reject(error) : resolve()))
  return promise
}

/** The codes of nodemailer, and those of the server (RFC 4954, section 6; RFC 5321, section 4.2.1). */
function asFailure(error: unknown): ConnectionFailure {
  if (error instanceof ConnectionFailure) return error
  const { code, message, response, responseCode = 0 } = factsOf(error)
  const said = (response ?? message).slice(0, 300)
  const fail = (reason: ConnectionErrorCode, text: string) => new ConnectionFailure(reason, text, { cause: error })
  if (code === 'EAUTH') return fail('unauthorized', `The mail server refuses the credentials: ${said}`)
  if (code === 'ETIMEDOUT') return fail('timeout', said)
  // nodemailer gives every error of a socket the same code.
  if (code === 'ETLS' || (code === 'ESOCKET' && /certificate|\bssl\b|\btls\b/i.test(message)))
    return fail('tls', `No trusted TLS connection: ${said}`)
  if (responseCode >= 400 && responseCode < 500) return fail('unavailable', `The mail server cannot serve now: ${said}`)
  return fail('protocol', `The server does not answer like a mail server: ${said}`)
}
