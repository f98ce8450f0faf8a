import type { Socket } from 'node:net'
import { type ConnectionErrorCode, text } from '@wp/contracts'
import { tlsReason } from '@wp/outbound'
import { withTimeout } from '@wp/runtime'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import { z } from 'zod'
import { ConnectionFailure, errorDetailsOf } from '../connection-failure.ts'
import { defineProvider, host, port, secretText, type TestAccess } from '../provider.ts'

const config = z.strictObject({
  host: host(),
  port: port(587),
  user: text(320).optional(),
  security: z
    .enum(['starttls', 'tls', 'none'])
    .default('starttls')
    .describe('`starttls` (587), `tls` from the first byte (465), or `none`'),
})

const secrets = z.strictObject({ password: secretText().optional() })

/** Mail ports (RFC 5321, 6409, 8314), which the guarded client does not allow by default. */
const ports = [25, 465, 587].map((port) => ({ from: port, to: port }))

/** A mail server. */
export const smtp = defineProvider({
  provider: 'smtp',
  name: 'SMTP',
  description: 'A mail server for outgoing mail',
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
  async test({ config: { host, port, user, security }, secrets: { password } }, access) {
    const { timeoutMs, outbound, signal } = access
    const tls = security === 'tls'
    const socket = await outbound.connect({ host, port, ports, tls, connectTimeoutMs: timeoutMs, signal })
    await withSocketTimeout(access, 'The mail server', socket, async () => {
      const mail = new SMTPConnection(settingsOf(socket, { host, port, security }, access))
      try {
        await awaitGreeting(mail)
        if (user !== undefined && password !== undefined) await logIn(mail, { user, pass: password })
        mail.quit()
      } catch (error) {
        mail.close()
        throw smtpFailure(error)
      }
    })
  },
})

function settingsOf(
  connection: Socket,
  { host, port, security }: Pick<z.output<typeof config>, 'host' | 'port' | 'security'>,
  { outbound, timeoutMs }: TestAccess,
) {
  return {
    connection,
    host,
    port,
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

/** Waits for the greeting of the server, and for TLS where it is required. */
function awaitGreeting(mail: SMTPConnection): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  // Not removed: an error event without a listener would terminate the process.
  mail.on('error', reject)
  mail.once('end', () => reject(new Error('the connection was closed')))
  mail.connect((error) => (error ? reject(error) : resolve()))
  return promise
}

function logIn(mail: SMTPConnection, credentials: { user: string; pass: string }): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  mail.once('end', () => reject(new Error('the connection was closed')))
  mail.once('error', reject)
  mail.login({ credentials }, (error) => (error ? reject(error) : resolve()))
  return promise
}

/** nodemailer replaces the code of a failed verification by its own and keeps the message of Node.js. */
function verificationCodeOf(message: string): string | undefined {
  if (/self.signed certificate in/i.test(message)) return 'SELF_SIGNED_CERT_IN_CHAIN'
  if (/self.signed/i.test(message)) return 'DEPTH_ZERO_SELF_SIGNED_CERT'
  if (/unable to (verify|get)/i.test(message)) return 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'
  if (/expired/i.test(message)) return 'CERT_HAS_EXPIRED'
  if (/altname/i.test(message)) return 'ERR_TLS_CERT_ALTNAME_INVALID'
  return /wrong version number|packet length/i.test(message) ? 'ERR_SSL_WRONG_VERSION_NUMBER' : undefined
}

/** Maps error codes of nodemailer and reply codes of the server (RFC 4954, section 6; RFC 5321, section 4.2.1). */
function smtpFailure(error: unknown): ConnectionFailure {
  if (error instanceof ConnectionFailure) return error
  const { code, message, response, responseCode = 0 } = errorDetailsOf(error)
  const detail = (response ?? message).slice(0, 300)
  const fail = (reason: ConnectionErrorCode, text: string) => new ConnectionFailure(reason, text, { cause: error })
  if (code === 'EAUTH') return fail('unauthorized', `The mail server rejected the credentials: ${detail}`)
  if (code === 'ETIMEDOUT') return fail('timeout', detail)
  // nodemailer uses one code for all socket errors.
  if (code === 'ETLS' || (code === 'ESOCKET' && /certificate|\bssl\b|\btls\b/i.test(message)))
    return fail('tls', `The TLS connection is not trusted: ${tlsReason(verificationCodeOf(message))}`)
  if (responseCode >= 400 && responseCode < 500) return fail('unavailable', `The mail server is unavailable: ${detail}`)
  return fail('protocol', `The server does not respond like a mail server: ${detail}`)
}

/**
 * Runs work on a connection with a time limit for all of it, which also covers a server that sends a byte now and then.
 * Closes the socket in any case.
 * @param peer the subject of the error message
 * @throws ConnectionFailure `timeout`, the reason of the signal, or the error of the work
 */
export async function withSocketTimeout(
  { timeoutMs, signal }: Pick<TestAccess, 'timeoutMs' | 'signal'>,
  peer: string,
  socket: Socket,
  work: () => Promise<void>,
): Promise<void> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()
  try {
    await withTimeout(
      timeoutMs,
      Promise.race([work(), aborted]),
      () => new ConnectionFailure('timeout', `${peer} took longer than ${timeoutMs} ms`),
    )
    socket.destroySoon()
  } catch (error) {
    socket.destroy()
    throw error
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
