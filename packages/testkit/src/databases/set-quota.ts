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

const perMinute = 1_000_000

/**
 * Lets every workspace of a fleet send as many requests a minute as a quick machine can, also after a change of its
 * plan, whose limits count before those of the workspace.
 */
export async function raiseRateLimits(authUrl: string | undefined): Promise<void> {
  const client = new Client({ connectionString: authUrl })
  await client.connect()
  try {
    await client.query(`
      CREATE OR REPLACE FUNCTION public.raise_plan_limits() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        NEW.credential_per_minute := ${perMinute};
        NEW.workspace_per_minute := ${perMinute};
        RETURN NEW;
      END $$;
      CREATE OR REPLACE TRIGGER raise_plan_limits BEFORE INSERT OR UPDATE ON platform.plan_limits
        FOR EACH ROW EXECUTE FUNCTION public.raise_plan_limits();
      UPDATE workspaces SET credential_per_minute = ${perMinute}, workspace_per_minute = ${perMinute}`)
  } finally {
    await client.end()
  }
}
