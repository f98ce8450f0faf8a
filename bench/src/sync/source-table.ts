import { createTestDatabase, type TestFleet } from '@wp/testkit'
import { Client } from 'pg'

/** A table in a separate database, and an integration with access to it. */
export interface SourceTable {
  /**
   * Creates a postgres source that reads one of several equal parts of the table.
   *
   * @param part from 0
   * @returns its path
   */
  createSource(part?: number, partCount?: number): Promise<string>
  drop(): Promise<void>
}

export async function createSourceTable(fleet: TestFleet, rows: number): Promise<SourceTable> {
  const database = await createTestDatabase('source-bench')
  const { hostname, port, username, password } = new URL(database.adminUrl)
  const client = new Client({ connectionString: database.adminUrl })
  await client.connect()
  await client.query(
    `CREATE UNLOGGED TABLE source AS
     SELECT to_char(timestamp '2026-01-01' + n * interval '1 minute', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS ts,
            'room ' || n % 500 AS room, (n % 97)::text AS people, 'some, "quoted" text ' || n AS note, n AS id
       FROM generate_series(0, ${rows - 1}) AS n`,
  )
  await client.end()
  const create = async (path: string, body: object) => {
    const response = await fleet.request('POST', path, { as: fleet.owner.apiKey, body })
    if (response.status !== 201) throw new Error(`${path}: ${response.status} ${JSON.stringify(response.body)}`)
    return response.body.data
  }
  const { integration_id: integrationId } = await create('/v1/integrations/integrations', {
    ...{ provider: 'postgres', name: 'bench', secrets: { password: decodeURIComponent(password) } },
    config: { host: hostname, port: Number(port), database: database.name, user: username, ssl: 'disable' },
  })
  return {
    async createSource(part = 0, partCount = 1) {
      const { data_source_id: id } = await create('/v1/data/sources', {
        ...{ name: `part ${part}`, provider: 'postgres', integration_id: integrationId },
        config: { query: `SELECT * FROM source WHERE id % ${partCount} = ${part}`, key: 'id' },
      })
      return `/v1/data/sources/${id}`
    },
    drop: () => database.drop(),
  }
}
