import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { databaseUrls, migrate, provision } from '@wp/database'
import type { Client } from 'pg'
import { quoteIdentifier, withAdminConnection } from './admin.ts'

/** The passwords of every service's roles on a test server. */
export const testRolePasswords = {
  owner: 'owner',
  app: 'app',
  worker: 'worker',
  operators: { retention: 'retention', erasure: 'erasure' },
}

const root = join(import.meta.dirname, '../../../..')

/**
 * Returns the name of the service's migrated template database, and creates it if it does not exist. The name contains
 * a hash of all migrations, so a changed migration gives a new template. Concurrent callers wait for its creation.
 */
export function ensureTemplate(server: string, service: string): Promise<string> {
  const key = `${service} ${server}`
  const template = templates.get(key) ?? findOrCreateTemplate(server, service)
  templates.set(key, template)
  template.catch(() => templates.delete(key))
  return template
}

/** The templates that this process has found or created. */
const templates = new Map<string, Promise<string>>()

async function findOrCreateTemplate(server: string, service: string): Promise<string> {
  const dir = join(root, 'services', service, 'prisma/migrations')
  const folder = existsSync(dir) ? dir : undefined
  const base = `tpl_${service.replaceAll('-', '_')}`
  const name = `${base}_${hashMigrations(folder)}`
  await withAdminConnection(server, async (admin) => {
    if (await exists(admin, name)) return
    await admin.query('SELECT pg_advisory_lock(hashtext($1))', [base])
    if (await exists(admin, name)) return
    await dropStaleTemplates(admin, base)
    // Created under another name and renamed at the end, so that an incomplete template is never used.
    const unfinished = `new_${name}`
    await provision({ adminUrl: server, service, database: unfinished, passwords: testRolePasswords })
    const { owner } = databaseUrls(server, service, testRolePasswords, unfinished)
    await migrate({ ownerUrl: owner, ...(folder !== undefined && { dir: folder }) })
    await admin.query(`ALTER DATABASE ${quoteIdentifier(unfinished)} RENAME TO ${quoteIdentifier(name)}`)
  })
  return name
}

/** Returns the hash of all migrations of the template. */
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

/** Drops templates of older migrations and incomplete ones, which remain on a server named by the environment. */
async function dropStaleTemplates(admin: Client, base: string): Promise<void> {
  const { rows } = await admin.query<{ name: string }>(
    `SELECT datname AS name FROM pg_database WHERE datname ~ ('^(new_)?' || $1 || '_[0-9a-f]{12}$')`,
    [base],
  )
  for (const { name } of rows) await admin.query(`DROP DATABASE ${quoteIdentifier(name)} WITH (FORCE)`)
}
