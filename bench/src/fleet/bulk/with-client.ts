import { Client } from 'pg'

/** Runs statements on a connection of their own. */
export async function withClient<Result>(
  url: string | undefined,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
