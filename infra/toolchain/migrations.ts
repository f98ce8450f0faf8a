// The database commands: `npm run db:migration -- <service> <name>` drafts a migration for a changed schema.prisma,
// `npm run db:migrate` creates and migrates the databases, `npm run db:provision` creates databases and roles, and
// `npm run db:drift` compares migrations with schema.prisma.
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  draftMigration,
  findDrift,
  migrate,
  operatorPurposes,
  ownerUrlOf,
  type Passwords,
  provision,
  resolveMigration,
} from '@wp/database'
import { printLine, runCommand } from '@wp/runtime'
import { findAdminUrl, migrationsOf, schemaOf, servicesWithSchema, toVariableName } from './service-databases.ts'

const usage = `usage:
  npm run db:migration -- <service> <name>
                                          draft services/<service>/prisma/migrations/<time>_<name>
  npm run db:drift -- [service…]          compare migrations with schema.prisma; exits with 1 if they differ
  npm run db:migrate -- [service…]        create and migrate databases
  npm run db:provision -- [service…]      create missing databases and roles, and set the passwords
  npm run db:migrate -- --resolve <service> <migration> applied|rolled-back
environment:
  OWNER_DATABASE_URL                      the database of the one named service, as its owner. Sufficient for db:migrate
                                          after db:provision
  ADMIN_DATABASE_URL                      a role that may create roles and databases. Required by db:migrate; db:migration
                                          and db:drift otherwise start a PostgreSQL server
  ADMIN_DATABASE_URL_<SERVICE>            the same for a service on another server
  DATABASE_PASSWORD_<SERVICE>_APP, _WORKER, _OWNER, else DATABASE_PASSWORD
                                          passwords of the service's roles; unset: not changed. Of audit also
                                          _RETENTION and _ERASURE`

const driftMessage = 'migrations and schema.prisma differ; changes that would give the schema:'

async function run([command, ...args]: string[]): Promise<number> {
  const [first, second, third, fourth] = args
  if (command === 'create' && first && second && !third) return await create(requireService(first), second)
  if (command === 'drift') return await drift(chooseServices(args))
  if (
    command === 'apply' &&
    first === '--resolve' &&
    second &&
    third &&
    (fourth === 'applied' || fourth === 'rolled-back')
  )
    return await resolve(requireService(second), third, fourth)
  if (command === 'apply' && !args.some((arg) => arg.startsWith('-'))) return await apply(args)
  if (command === 'provision' && !args.some((arg) => arg.startsWith('-')))
    return await provisionDatabases(chooseServices(args))
  process.stderr.write(`${usage}\n`)
  return 1
}

async function create(service: string, name: string): Promise<number> {
  if (!/^[a-z0-9_]+$/.test(name)) throw new Error(`"${name}": the name of a migration may contain a-z, 0-9 and _`)
  const dir = migrationsOf(service)
  await mkdir(dir, { recursive: true })
  const sql = await withServers(async (adminUrl) =>
    draftMigration({ adminUrl: await adminUrl(service), dir, schemaFile: schemaOf(service) }),
  )
  if (sql === '') {
    printLine(`${service}: the migrations match schema.prisma`)
    return 0
  }
  const folder = join(dir, `${new Date().toISOString().replaceAll(/\D/g, '').slice(0, 14)}_${name}`)
  await mkdir(folder)
  await writeFile(join(folder, 'migration.sql'), sql)
  // Prisma's command line requires this file.
  await writeFile(join(dir, 'migration_lock.toml'), 'provider = "postgresql"\n')
  printLine(`${service}: ${join(folder, 'migration.sql')}`)
  if (/\bDROP (TABLE|COLUMN)\b|\bALTER COLUMN\b.*\bTYPE\b/.test(sql))
    printLine('It drops or changes columns that older versions use: expand in this release, contract in a later one.')
  return 0
}

async function drift(services: string[]): Promise<number> {
  return await withServers(async (adminUrl) => {
    let differing = 0
    for (const service of services) {
      const [dir, schemaFile] = [migrationsOf(service), schemaOf(service)]
      const difference = existsSync(dir)
        ? await findDrift({ adminUrl: await adminUrl(service), dir, schemaFile })
        : 'it has no migrations'
      if (difference !== '') differing++
      printLine(
        difference === ''
          ? `${service}: migrations and schema.prisma agree`
          : `${service}: ${driftMessage}\n${difference}`,
      )
    }
    return differing === 0 ? 0 : 1
  })
}

async function apply(named: string[]): Promise<number> {
  const ownerUrl = process.env.OWNER_DATABASE_URL
  if (ownerUrl) {
    const [service, ...others] = named
    if (service === undefined || others.length > 0)
      throw new Error('OWNER_DATABASE_URL applies to one service: name it')
    await migrateDatabase(requireService(service), ownerUrl)
    return 0
  }
  for (const service of chooseServices(named)) {
    const adminUrl = await provisionDatabase(service)
    await migrateDatabase(service, ownerUrlOf(adminUrl, service))
  }
  return 0
}

async function provisionDatabases(services: string[]): Promise<number> {
  for (const service of services) {
    await provisionDatabase(service)
    printLine(`${service}: database and roles exist`)
  }
  return 0
}

async function provisionDatabase(service: string): Promise<string> {
  const adminUrl = findAdminUrl(service)
  if (adminUrl === undefined) throw new Error('ADMIN_DATABASE_URL is not set')
  await provision({ adminUrl, service, passwords: passwordsOf(service) })
  return adminUrl
}

async function migrateDatabase(service: string, ownerUrl: string): Promise<void> {
  const applied = await migrate({
    ownerUrl,
    dir: migrationsOf(service),
    log: (line) => printLine(`${service}: ${line}`),
  })
  if (applied.length === 0) printLine(`${service}: up to date`)
}

async function resolve(service: string, migration: string, outcome: 'applied' | 'rolled-back'): Promise<number> {
  const adminUrl = findAdminUrl(service)
  if (adminUrl === undefined) throw new Error('ADMIN_DATABASE_URL is not set')
  await resolveMigration(ownerUrlOf(adminUrl, service), migration, outcome)
  printLine(`${service}: ${migration} is marked as ${outcome}`)
  return 0
}

function requireService(service: string): string {
  if (!existsSync(schemaOf(service))) throw new Error(`${service} has no database: ${schemaOf(service)} does not exist`)
  return service
}

/** The named services, or every service that has a database. */
const chooseServices = (named: string[]): string[] =>
  named.length > 0 ? named.map(requireService) : servicesWithSchema()

function passwordsOf(service: string): Passwords {
  const password = (role: string) => {
    const value =
      process.env[`DATABASE_PASSWORD_${toVariableName(service)}_${role.toUpperCase()}`] ?? process.env.DATABASE_PASSWORD
    return value ? { [role]: value } : {}
  }
  const operators = Object.assign({}, ...(operatorPurposes[service] ?? []).map(password))
  return { ...password('app'), ...password('worker'), ...password('owner'), operators }
}

/**
 * Calls `work` with a function that returns the administrator's URL: from the environment, or of a temporary server.
 */
async function withServers<T>(work: (adminUrl: (service: string) => Promise<string>) => Promise<T>): Promise<T> {
  let own: Promise<{ url: string; stop(): Promise<void> }> | undefined
  const start = async () => {
    // A development dependency, which production images do not contain.
    const { startPostgres } = await import('@wp/testkit')
    return await startPostgres()
  }
  try {
    return await work(async (service) => {
      const named = findAdminUrl(service)
      if (named !== undefined) return named
      own ??= start()
      return (await own).url
    })
  } finally {
    await (await own)?.stop()
  }
}

await runCommand(run)
