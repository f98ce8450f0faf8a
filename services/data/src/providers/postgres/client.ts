import type { Socket } from 'node:net'
import { asPreconnectedSocket } from '@wp/outbound'
import { Client, type QueryArrayConfig } from 'pg'
import type { PostgresSettings } from './settings.ts'

export const connectTimeoutMs = 15_000

/** A client that talks over a socket that is open. */
export function createClient(
  socket: Socket,
  { host, port, database, user, password }: PostgresSettings,
  ssl: object | undefined,
): Client {
  const client = new Client({
    ...{ host, port, database, user, ssl: ssl ?? false, stream: () => asPreconnectedSocket(socket) },
    // Never none: `pg` would look for the operator's, in the environment and in files.
    password: () => password ?? '',
    application_name: 'workspace-platform',
    client_encoding: 'UTF8',
    connectionTimeoutMillis: connectTimeoutMs,
  })
  // A connection that breaks makes the statement under way fail, and every one after it.
  return client.on('error', () => {})
}

/** Without values `pg` would take the simple protocol, in which a text may hold any number of statements. */
export function singleStatement(
  text: string,
  values: readonly unknown[] = [],
): QueryArrayConfig & { queryMode: 'extended' } {
  return { text, values: [...values], queryMode: 'extended', rowMode: 'array', types: textTypes }
}

/** No value is parsed where it is received. */
export const textTypes = { getTypeParser: () => (text: string | Buffer) => String(text) }
