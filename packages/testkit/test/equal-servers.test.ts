import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { Client } from 'pg'
import { readComposeImage, startNats, startPostgres } from '../src/index.ts'
import { findContainerProblem } from '../src/servers/container.ts'
import { startNatsContainer } from '../src/servers/nats-container.ts'
import { startPostgresContainer } from '../src/servers/postgres-container.ts'

type Server = { url: string; host?: string; stop(): Promise<void> }

/** Describes tests with a container. Without Docker or the image they are skipped, and the title says why. */
function describeWithContainer(title: string, service: string, tests: () => void): void {
  const problem = findContainerProblem(readComposeImage(service))
  if (problem === undefined) describe(title, tests)
  else describe.skip(`${title} (skipped: ${problem})`, tests)
}

/** Settings that belong to the machine, the place or the minor version of the server, not to its behaviour. */
const ownSettings = [
  ...['config_file', 'data_directory', 'external_pid_file', 'hba_file', 'ident_file', 'huge_pages_status'],
  ...['listen_addresses', 'unix_socket_directories', 'port', 'debug_io_direct', 'server_version', 'server_version_num'],
  ...['shared_memory_size', 'shared_memory_size_in_huge_pages', 'log_directory', 'lc_messages', 'lc_monetary'],
  ...['lc_numeric', 'lc_time', 'data_directory_mode', 'in_hot_standby'],
]

describeWithContainer('a PostgreSQL container', 'postgres', () => {
  let servers: Server[]
  beforeAll(async () => {
    servers = await Promise.all([startPostgresContainer(), startPostgres()])
  })
  afterAll(() => Promise.all(servers.map((server) => server.stop())))

  it('has the address, settings and locale of the embedded server', async () => {
    const [container, embedded] = await Promise.all(
      servers.map(async ({ url, host }) => ({
        host,
        settings: await query(url, `SELECT name, setting FROM pg_settings WHERE name <> ALL($1) ORDER BY name`, [
          ownSettings,
        ]),
        version: await query(url, `SELECT current_setting('server_version_num')::integer / 10000 AS major`, []),
        locale: await query(
          url,
          `SELECT datlocprovider, datcollate, datctype, datlocale, pg_encoding_to_char(encoding) AS encoding
            FROM pg_database ORDER BY datname`,
        ),
      })),
    )
    expect(container?.settings.length).toBeGreaterThan(300)
    expect(container).toEqual(embedded)
  })
})

describeWithContainer('a NATS container', 'nats', () => {
  let servers: Server[]
  beforeAll(async () => {
    servers = await Promise.all([startNatsContainer(), startNats()])
  })
  afterAll(() => Promise.all(servers.map((server) => server.stop())))

  it('has the limits of the process, and accepts streams that reserve more than the disk has', async () => {
    const limits = await Promise.all(
      servers.map(async ({ url }) => {
        const connection = await connect({ servers: url })
        try {
          const manager = await jetstreamManager(connection)
          for (const nth of Array.from({ length: 100 }).keys())
            await manager.streams.add({ name: `S${nth}`, subjects: [`s${nth}`], max_bytes: 2 * 1024 ** 3 })
          const { limits, streams } = await manager.getAccountInfo()
          return {
            limits,
            streams,
            max_payload: connection.info?.max_payload,
            host: connection.getServer().split(':')[0],
          }
        } finally {
          await connection.close()
        }
      }),
    )
    expect(limits[0]).toMatchObject({ streams: 100, host: '127.0.0.1' })
    expect(limits[0]).toEqual(limits[1])
  })
})

async function query(url: string, text: string, values: unknown[] = []): Promise<unknown[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text, values)).rows
  } finally {
    await client.end()
  }
}
