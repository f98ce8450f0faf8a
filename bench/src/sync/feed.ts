import { createTestDatabase, type TestFleet } from '@wp/testkit'
import { Client } from 'pg'

/** A table of so many rows in a database of its own, and an integration by which it is read. */
export interface SyncFeed {
  /** A source that reads one of `of` equal shares of it. @returns its path */
  source(share?: number, of?: number): Promise<string>
  drop(): Promise<void>
}

export async function createSyncFeed(fleet: TestFleet, rows: number): Promise<SyncFeed> {
  const database = await createTestDatabase('feed-bench')
  const { hostname, port, username, password } = new URL(database.adminUrl)
  const client = new Client({ connectionString: database.adminUrl })
  await client.connect()
  await client.query(
    `CREATE UNLOGGED TABLE feed AS
     SELECT to_char(timestamp '2026-01-01' + n * interval '1 minute', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS ts,
            'room ' || n % 500 AS room, (n % 97)::text AS people, 'some, "quoted" text ' || n AS note, n AS id
       FROM generate_series(0, ${rows - 1}) AS n`,
  )
  await client.end()
  const create = async (path: string, body: object) => {
    const answer = await fleet.request('POST', path, { as: fleet.owner.apiKey, body })
    if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body.data
  }
  const { integration_id: integrationId } = await create('/v1/integrations/integrations', {
    ...{ provider: 'postgres', name: 'feed', secrets: { password: decodeURIComponent(password) } },
    config: { host: hostname, port: Number(port), database: database.name, user: username, ssl: 'disable' },
  })
  return {
    async source(share = 0, of = 1) {
      const { data_source_id: id } = await create('/v1/data/sources', {
        ...{ name: `share ${share}`, provider: 'postgres', integration_id: integrationId },
        config: { query: `SELECT * FROM feed WHERE id % ${of} = ${share}`, key: 'id' },
      })
      return `/v1/data/sources/${id}`
    },
    drop: () => database.drop(),
  }
}
