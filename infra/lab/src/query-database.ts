import { Client } from 'pg'

/** Runs SQL on a connection of its own, and returns the rows. */
export async function queryDatabase(url: string | undefined, text: string): Promise<object[]> {
  const database = new Client({ connectionString: url })
  // The query reports the loss of its connection; one that is lost afterwards does not matter.
  database.on('error', () => {})
  await database.connect()
  try {
    return (await database.query(text)).rows
  } finally {
    await database.end()
  }
}
