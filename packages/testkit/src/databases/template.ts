import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { databaseUrls, migrate, provision } from '@wp/database'
import type { Client } from 'pg'
import { quoteIdentifier, withAdminConnection } from './admin.ts'

/** Of every service's roles on a test server. */
export const testRolePasswords = { owner: 'owner', app: 'app', worker: 'worker' }

const root = join(import.meta.dirname, '../../../..')

/**
 * The name of the service's migrated template database. Its name holds a hash of all migrations, so the first to ask
 * after a change makes a new one; whoever asks meanwhile waits.
 */
export async function ensureTemplate(server: string, service: string): Promise<string> {
  const dir = join(root, 'services', service, 'prisma/migrations')
  const folder = existsSync(dir) ? dir : undefined
  const base = `tpl_${service.replaceAll('-', '_')}`
  const name = `${base}_${hashMigrations(folder)}`
  await withAdminConnection(server, async (admin) => {
    if (await exists(admin, name)) return
    await admin.query('SELECT pg_advisory_lock(hashtext($1))', [base])
    if (await exists(admin, name)) return
    await dropStaleTemplates(admin, base)
    // Finished under another name first: a template is whole or not there.
    const unfinished = `new_${name}`
    await provision({ adminUrl: server, service, database: unfinished, passwords: testRolePasswords })
    const { owner } = databaseUrls(server, service, testRolePasswords, unfinished)
    await migrate({ ownerUrl: owner, ...(folder !== undefined && { dir: folder }) })
    await admin.query(`ALTER DATABASE ${quoteIdentifier(unfinished)} RENAME TO ${quoteIdentifier(name)}`)
  })
  return name
}

/** Of all that makes the template what it is. */
function hashMigrations(dir: string | undefined): string {
  const hash = createHash('sha256')
  const places = [join(root, 'packages/database/platform'), ...(dir === undefined ? [] : [dir])]
  for (const place of places) {
    for (const file of globSync('*/migration.sql', { cwd: place }).sort()) {
      hash.update(`${file}\0`).update(readFileSync(join(place, file)))
    }
  }
  return hash.digest('hex').slice(0, 12)
}

async function exists(admin: Client, name: string): Promise<boolean> {
  const { rowCount } = await admin.query('SELECT FROM pg_database WHERE datname = $1', [name])
  return rowCount === 1
}

/** Templates of migrations that are no more, and what a crash left unfinished: a server of the environment keeps both. */
async function dropStaleTemplates(admin: Client, base: string): Promise<void> {
  const { rows } = await admin.query<{ name: string }>(
    `SELECT datname AS name FROM pg_database WHERE datname ~ ('^(new_)?' || $1 || '_[0-9a-f]{12}$')`,
    [base],
  )
  for (const { name } of rows) await admin.query(`DROP DATABASE ${quoteIdentifier(name)} WITH (FORCE)`)
}
