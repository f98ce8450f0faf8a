import type { Socket } from 'node:net'
import { connectedSocket } from '@wp/outbound'
import { Client, type QueryArrayConfig } from 'pg'
import type { Settings } from './settings.ts'

export const connectTimeoutMs = 15_000

/** A client that talks over a socket that is open. */
export function clientOver(
  socket: Socket,
  { host, port, database, user, password }: Settings,
  ssl: object | undefined,
): Client {
  const client = new Client({
    ...{ host, port, database, user, ssl: ssl ?? false, stream: () => connectedSocket(socket) },
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
export function inOne(text: string, values: readonly unknown[] = []): QueryArrayConfig & { queryMode: 'extended' } {
  return { text, values: [...values], queryMode: 'extended', rowMode: 'array', types: asText }
}

/** No value is parsed where it is received. */
export const asText = { getTypeParser: () => (text: string | Buffer) => String(text) }
