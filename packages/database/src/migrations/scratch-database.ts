import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { migrate } from './migrate.ts'
import { provisionGroups } from './provision.ts'

/** Advisory lock; its holder may assume that every existing scratch database was left behind by a crash. */
const scratchLockId = 6_610_395_127

/** Runs `work` with the URL of a temporary database, owned by the administrator, that a service's migrations filled. */
export async function withScratchDatabase<T>(
  adminUrl: string,
  dir: string,
  work: (url: string) => Promise<T>,
): Promise<T> {
  await provisionGroups(adminUrl)
  const admin = new Client({ connectionString: adminUrl })
  await admin.connect()
  try {
    await admin.query('SELECT pg_advisory_lock($1)', [scratchLockId])
    const stale = await admin.query<{ name: string }>(
      `SELECT datname AS name FROM pg_database WHERE datname LIKE 'wp\\_scratch\\_%'`,
    )
    for (const { name } of stale.rows) await admin.query(`DROP DATABASE ${name} WITH (FORCE)`)
    const name = `wp_scratch_${randomBytes(6).toString('hex')}`
    await admin.query(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`)
    try {
      const url = new URL(adminUrl)
      url.pathname = `/${name}`
      await migrate({ ownerUrl: url.href, dir })
      return await work(url.href)
    } finally {
      await admin.query(`DROP DATABASE ${name} WITH (FORCE)`)
    }
  } finally {
    await admin.end()
  }
}
