import type { QuotaName } from '@wp/contracts'
import { setQuotaLimit } from '@wp/database'
import { Client } from 'pg'

/**
 * Sets the limit of a workspace or user, as an operator does.
 * @param workerUrl of the database of the service that counts the quota
 */
export async function setTestQuota(
  workerUrl: string | undefined,
  subject: string,
  quota: QuotaName,
  maximum: number,
): Promise<void> {
  const client = new Client({ connectionString: workerUrl })
  await client.connect()
  try {
    // The caller names the shape of the rows its statement gives.
    const query = async <Row>(text: string, values: readonly unknown[] = []) =>
      (await client.query(text, [...values])).rows as Row[]
    await setQuotaLimit(query, subject, quota, maximum)
  } finally {
    await client.end()
  }
}

/** Lets every workspace of a fleet send as many requests a minute as a quick machine can. */
export async function raiseRateLimits(authUrl: string | undefined): Promise<void> {
  const client = new Client({ connectionString: authUrl })
  await client.connect()
  try {
    await client.query('UPDATE workspaces SET credential_per_minute = 1000000, workspace_per_minute = 1000000')
  } finally {
    await client.end()
  }
}
