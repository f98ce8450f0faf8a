import { Client, escapeIdentifier, escapeLiteral } from 'pg'
import { type DatabaseNames, databaseNames, operatorPurposes, operatorRole, type Passwords } from './database-names.ts'

interface ProvisionOptions {
  /** Connection URL of a role that may create roles and databases; it need not be a superuser. */
  adminUrl: string
  service: string
  /** Set at every run, so that changing a password here rotates it. */
  passwords?: Passwords
  /** Name of the database, if it differs from the service's default (tests, restored copies). */
  database?: string
}

/** Advisory lock that serializes changes of roles, because concurrent grants to one role fail. */
const rolesLockId = 5_302_771_046

/**
 * Creates what a service's database needs before its first migration, if missing: the groups `wp_app` and `wp_worker`,
 * the service's owner, app and worker roles, those of its operators, and its database, to which only these roles may
 * connect.
 */
export async function provision(options: ProvisionOptions): Promise<DatabaseNames> {
  const { adminUrl, service, passwords = {}, database } = options
  const names = { ...databaseNames(service), ...(database !== undefined && { database }) }
  await withAdmin(adminUrl, async (admin) => {
    // Provisioning one database is serial; different ones are created side by side.
    await admin.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [`provision ${names.database}`])
    // One transaction, because each commit waits for the disk. A database cannot be created in one.
    await admin.query('BEGIN')
    await lockRoles(admin)
    await ensureGroups(admin)
    await ensureRole(admin, names.owner, 'LOGIN', passwords.owner)
    await ensureRole(admin, names.app, 'LOGIN', passwords.app)
    await ensureRole(admin, names.worker, 'LOGIN', passwords.worker)
    const operators = await ensureOperatorRoles(admin, service, passwords)
    // Forced row-level security applies to the owner too; without the worker policy its backfills would match no rows.
    await grant(admin, 'wp_worker', [names.worker, names.owner])
    await grant(admin, 'wp_app', [names.app])
    await admin.query('COMMIT')
    await ensureDatabase(admin, names, operators)
  })
  return names
}

/** Creates the roles referred to by policies and grants; a scratch database needs no more for its migrations. */
export const provisionGroups = (adminUrl: string): Promise<void> =>
  withAdmin(adminUrl, async (admin) => {
    await admin.query('BEGIN')
    await lockRoles(admin)
    await ensureGroups(admin)
    for (const service of Object.keys(operatorPurposes)) await ensureOperatorRoles(admin, service, {})
    await admin.query('COMMIT')
  })

const lockRoles = (admin: Client) => admin.query('SELECT pg_advisory_xact_lock($1)', [rolesLockId])

async function withAdmin(url: string, work: (admin: Client) => Promise<void>): Promise<void> {
  const admin = new Client({ connectionString: url })
  await admin.connect()
  try {
    await work(admin)
  } finally {
    await admin.end()
  }
}

async function ensureGroups(admin: Client): Promise<void> {
  await ensureRole(admin, 'wp_app', 'NOLOGIN')
  await ensureRole(admin, 'wp_worker', 'NOLOGIN')
}

/** @returns the names of the roles */
async function ensureOperatorRoles(admin: Client, service: string, { operators = {} }: Passwords): Promise<string[]> {
  const purposes = operatorPurposes[service] ?? []
  for (const purpose of purposes) await ensureRole(admin, operatorRole(service, purpose), 'LOGIN', operators[purpose])
  return purposes.map((purpose) => operatorRole(service, purpose))
}

async function ensureRole(admin: Client, role: string, login: 'LOGIN' | 'NOLOGIN', password?: string): Promise<void> {
  const { rowCount } = await admin.query('SELECT FROM pg_roles WHERE rolname = $1', [role])
  const name = escapeIdentifier(role)
  if (rowCount === 0) await admin.query(`CREATE ROLE ${name} ${login}`)
  if (password !== undefined) await admin.query(`ALTER ROLE ${name} PASSWORD ${escapeLiteral(password)}`)
}

async function grant(admin: Client, group: string, roles: string[]): Promise<void> {
  const members = await admin.query<{ name: string }>(
    `SELECT r.rolname AS name FROM pg_auth_members m JOIN pg_roles g ON g.oid = m.roleid JOIN pg_roles r ON r.oid = m.member
     WHERE g.rolname = $1`,
    [group],
  )
  const missing = roles.filter((role) => !members.rows.some((member) => member.name === role))
  if (missing.length > 0) await admin.query(`GRANT ${group} TO ${missing.map(escapeIdentifier).join(', ')}`)
}

async function ensureDatabase(admin: Client, names: DatabaseNames, operators: readonly string[]): Promise<void> {
  const [database, owner] = [escapeIdentifier(names.database), escapeIdentifier(names.owner)]
  const { rowCount } = await admin.query('SELECT FROM pg_database WHERE datname = $1', [names.database])
  // Only a member of a role may create a database owned by it or grant on its behalf; its creator may grant itself
  // membership.
  const { rows } = await admin.query<{ super: boolean }>(
    'SELECT rolsuper AS super FROM pg_roles WHERE rolname = current_user',
  )
  if (!rows[0]?.super) await admin.query(`GRANT ${owner} TO CURRENT_USER`)
  // template0: sessions in template1 would block this, and only template0 accepts any encoding.
  if (rowCount === 0) await admin.query(`CREATE DATABASE ${database} OWNER ${owner} TEMPLATE template0 ENCODING 'UTF8'`)
  const users = [names.app, names.worker, ...operators].map(escapeIdentifier).join(', ')
  // Sent together, they are one transaction.
  await admin.query(`REVOKE ALL ON DATABASE ${database} FROM PUBLIC; GRANT CONNECT ON DATABASE ${database} TO ${users}`)
}
