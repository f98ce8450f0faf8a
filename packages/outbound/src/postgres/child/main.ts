// Entry of the child process that speaks to one PostgreSQL server. It ends when its parent does.
import { Socket } from 'node:net'
import { createSecureContext, getCACertificates } from 'node:tls'
import { Client } from 'pg'
import type { BackendKey, MessageFromChild, MessageToChild, PostgresLogin } from '../child-messages.ts'
import { upgradeToTls } from '../upgrade-to-tls.ts'
import { GuardedStream } from './guarded-stream.ts'
import { toErrorMessage } from './postgres-messages.ts'
import { runStatement } from './run-statement.ts'

/** The connected socket, inherited after the standard streams and the channel to the parent process. */
const socketFd = 4
/** Bytes accepted during the login. */
const maxLoginBytes = 1024 * 1024

let connection: { client: Client; stream: GuardedStream } | undefined

process.on('disconnect', () => process.exit())
// Thrown by the parser of `pg` in event listeners.
process.on('uncaughtException', (error) =>
  send({ kind: 'failed', error: toErrorMessage(error) }, () => process.exit(1)),
)
process.on('message', async (message: MessageToChild) => {
  try {
    await handle(message)
  } catch (error) {
    send({ kind: 'failed', error: toErrorMessage(error) })
  }
})

async function handle(message: MessageToChild): Promise<void> {
  if (message.kind === 'login') return logIn(message.login)
  if (connection === undefined) throw new Error('the login has not ended')
  const { client, stream } = connection
  switch (message.kind) {
    case 'statement': {
      currentBytes = message.statement.maxBytes
      const columns = await runStatement(client, stream, message.statement, (chunk) => send({ kind: 'rows', chunk }))
      return send({ kind: 'done', columns })
    }
    case 'next':
      stream.allowBytes(currentBytes)
      stream.resume()
      return
    case 'end':
      await client.end().catch(() => {})
      process.exit()
  }
}

/** Bytes accepted for each chunk of the current statement. */
let currentBytes = 0

async function logIn(login: PostgresLogin): Promise<void> {
  const socket = await secure(new Socket({ fd: socketFd }), login)
  const stream = new GuardedStream(socket, maxLoginBytes)
  const { host, database, user, password } = login
  const client = new Client({
    host,
    database,
    user,
    ssl: false,
    stream: () => stream,
    // Without a password `pg` would look for one in the environment or in a file.
    password: () => password ?? '',
    application_name: 'workspace-platform',
    client_encoding: 'UTF8',
  })
  // A lost connection fails the running statement and all later ones; the event needs no handling.
  client.on('error', () => {})
  let key: BackendKey | undefined
  client.connection.once('backendKeyData', ({ processID, secretKey }: BackendKey) => {
    key = { processID, secretKey }
  })
  await client.connect()
  connection = { client, stream }
  send({ kind: 'ready', key })
}

async function secure(socket: Socket, { host, tls }: PostgresLogin): Promise<Socket> {
  if (tls === undefined) return socket
  const { authorities, replacesDefaults } = tls
  const own = replacesDefaults ? [...authorities] : [...getCACertificates('default'), ...authorities]
  const trust = { secureContext: createSecureContext({ ca: own }), hasOwnAuthority: replacesDefaults }
  // The parent process ends this one at the end of the time limit.
  return upgradeToTls(socket, host, trust, new AbortController().signal)
}

function send(message: MessageFromChild, onSent = () => {}): void {
  process.send?.(message, onSent)
}
