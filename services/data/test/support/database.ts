import { Client } from 'pg'

/** One statement, as the role that sees all workspaces. */
export async function queryAsWorker<Row extends object>(
  env: Readonly<Record<string, string>>,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  return withClient(env.DATABASE_WORKER_URL, async (client) => (await client.query<Row>(text, values)).rows)
}

/** Work on one connection to a database. */
export async function withClient<T>(url: string | undefined, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
