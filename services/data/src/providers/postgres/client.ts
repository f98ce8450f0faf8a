import type { Socket } from 'node:net'
import { asPreconnectedSocket } from '@wp/outbound'
import { Client, type QueryArrayConfig } from 'pg'
import type { PostgresSettings } from './settings.ts'

export const connectTimeoutMs = 15_000

/** Creates a client that uses an open socket. */
export function createClient(
  socket: Socket,
  { host, port, database, user, password }: PostgresSettings,
  ssl: object | undefined,
): Client {
  const client = new Client({
    ...{ host, port, database, user, ssl: ssl ?? false, stream: () => asPreconnectedSocket(socket) },
    // Without a password `pg` would use that of the operator, from the environment or a file.
    password: () => password ?? '',
    application_name: 'workspace-platform',
    client_encoding: 'UTF8',
    connectionTimeoutMillis: connectTimeoutMs,
  })
  // A lost connection fails the running statement and all later ones; the event needs no handling.
  return client.on('error', () => {})
}

/** Forces the extended protocol. Without values `pg` would use the simple one, which accepts several statements. */
export function singleStatement(
  text: string,
  values: readonly unknown[] = [],
): QueryArrayConfig & { queryMode: 'extended' } {
  return { text, values: [...values], queryMode: 'extended', rowMode: 'array', types: textTypes }
}

/** Keeps every value as text. */
export const textTypes = { getTypeParser: () => (text: string | Buffer) => String(text) }
