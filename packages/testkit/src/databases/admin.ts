import { Client, escapeIdentifier } from 'pg'

export const quoteIdentifier = escapeIdentifier

/** Runs `work` with a connection to the URL, which is closed afterwards. */
export async function withAdminConnection(url: string, work: (admin: Client) => Promise<unknown>): Promise<void> {
  const admin = new Client({ connectionString: url })
  await admin.connect()
  try {
    await work(admin)
  } finally {
    await admin.end()
  }
}
