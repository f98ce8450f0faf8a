import { Client } from 'pg'

/** Runs one statement as the worker role, which sees all workspaces. */
export async function queryAsWorker<Row extends object>(
  env: Readonly<Record<string, string>>,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  return withClient(env.DATABASE_WORKER_URL, async (client) => (await client.query<Row>(text, values)).rows)
}

/** Runs work on one connection and closes it. */
export async function withClient<T>(url: string | undefined, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
