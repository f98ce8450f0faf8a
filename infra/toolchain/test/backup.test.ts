import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { connectDatabase } from '@wp/database'
import { type Postgres, runProgram, startPostgres } from '@wp/testkit'

let lost: Postgres
let fresh: Postgres
let folder: string
beforeAll(async () => {
  ;[lost, fresh] = await Promise.all([startPostgres(), startPostgres()])
  folder = join(await mkdtemp(join(tmpdir(), 'wp-backup-')), 'nightly')
})
afterAll(async () => {
  await Promise.all([lost?.stop(), fresh?.stop(), rm(join(folder, '..'), { recursive: true, force: true })])
})

const tool = (name: string, args: string[], server: Postgres) =>
  runProgram(`infra/toolchain/${name}`, args, { ADMIN_DATABASE_URL: server.url })
const backup = () => tool('backup.ts', ['backup', folder, 'system', 'audit'], lost)
const restore = (server: Postgres, ...services: string[]) => tool('backup.ts', ['restore', folder, ...services], server)
const failure = (run: Promise<unknown>): Promise<string> =>
  run.then(
    () => 'none',
    (error: { stderr?: string }) => error.stderr ?? String(error),
  )

async function query<Row extends object>(server: Postgres, database: string, text: string): Promise<Row[]> {
  const url = new URL(server.url)
  url.pathname = `/${database}`
  const opened = connectDatabase({ url: url.href, workerUrl: url.href, prisma: () => ({}), shard: 'test' })
  try {
    return (await opened.worker.query<Row>(text)).rows
  } finally {
    await opened.close()
  }
}

const variables = 'SELECT * FROM workspace_variables ORDER BY name'
const outbox = `INSERT INTO platform.outbox (id, kind, workspace_id, occurred_at, actor, request_id, data)
  VALUES ('evt_' || gen_random_uuid(), 'K', '', now(), '{}', 'r', '{"text":"tab\\t, line\\n, \\\\N and ü"}') RETURNING position, data`

describe('npm run backup and npm run restore', () => {
  it('write databases in use to a new folder that only its owner can read', async () => {
    await tool('migrations.ts', ['apply', 'system', 'audit'], lost)
    await query(
      lost,
      'wp_system',
      `INSERT INTO workspace_variables (workspace_id, name, value, secret, updated_at)
       SELECT 'ws_' || n % 7, 'V' || n, 'value ' || n, false, now() FROM generate_series(1, 500) n; ${outbox}`,
    )
    expect((await backup()).stdout.split('\n')).toEqual(['audit: 0 rows', 'system: 501 rows', ''])
    expect((await stat(join(folder, 'system'))).mode & 0o077).toBe(0)
    expect((await readdir(folder)).sort()).toEqual(['audit', 'system'])
    expect(await failure(backup())).toContain('exists already')
  })

  it('load the same rows into an empty database despite row-level security, and continue its sequences', async () => {
    expect(await failure(restore(fresh, 'system'))).toContain('does not exist')
    await tool('migrations.ts', ['apply', 'system', 'audit'], fresh)
    expect((await restore(fresh)).stdout.split('\n')).toEqual(['audit: 0 rows', 'system: 501 rows', ''])
    const rows = await query(lost, 'wp_system', variables)
    expect(rows).toHaveLength(500)
    expect(await query(fresh, 'wp_system', variables)).toEqual(rows)
    const events = 'SELECT * FROM platform.outbox'
    expect(await query(fresh, 'wp_system', events)).toEqual(await query(lost, 'wp_system', events))
    expect(await query(fresh, 'wp_system', outbox)).toMatchObject([{ position: 2 }])
  })

  it('reject a database with rows, one of another release, and a damaged backup, without changing anything', async () => {
    expect(await failure(restore(fresh, 'system'))).toContain('holds rows: only an empty database is restored')
    await query(fresh, 'wp_system', 'TRUNCATE workspace_variables, platform.outbox')
    await query(
      fresh,
      'wp_system',
      `UPDATE platform.migrations SET migration_name = '0009_later' WHERE migration_name = '0001_platform'`,
    )
    const otherwise = await failure(restore(fresh, 'system'))
    expect(otherwise).toContain('missing 0001_platform; unexpected 0009_later')
    await query(
      fresh,
      'wp_system',
      `UPDATE platform.migrations SET migration_name = '0001_platform' WHERE migration_name = '0009_later'`,
    )
    await writeFile(join(folder, 'system', 'platform.outbox.copy.gz'), '')
    expect(await failure(restore(fresh, 'system'))).not.toBe('none')
    expect(await query(fresh, 'wp_system', variables)).toEqual([])
  })

  it('keep the newest backups of a folder with --into and --keep, and delete no other folder', async () => {
    const backups = join(folder, '../backups')
    for (const name of ['2026-01-01T02-00-00Z', '2026-01-02T02-00-00Z', '2026-01-03T02-00-00Z.unfinished', 'own'])
      await mkdir(join(backups, name), { recursive: true })
    const { stdout } = await tool('backup.ts', ['backup', '--into', backups, '--keep', '2', 'system', 'audit'], lost)
    expect(stdout).toContain('deleted 2026-01-01T02-00-00Z\n')
    const [kept, made = '', own, ...others] = (await readdir(backups)).sort()
    expect([kept, own, others]).toEqual(['2026-01-02T02-00-00Z', 'own', []])
    expect(made).toMatch(/^20\d\d-\d\d-\d\dT\d\d-\d\d-\d\dZ$/)
    expect((await readdir(join(backups, made))).sort()).toEqual(['audit', 'system'])
  })

  it('delete no backup when the new one fails', async () => {
    const backups = join(folder, '../failing')
    await mkdir(join(backups, '2026-01-01T02-00-00Z'), { recursive: true })
    const { port } = new URL(lost.url)
    const away = { ...lost, url: lost.url.replace(`:${port}`, ':1') }
    const failed = tool('backup.ts', ['backup', '--into', backups, '--keep', '1', 'system'], away)
    expect(await failure(failed)).toContain('ECONNREFUSED')
    expect(await readdir(backups)).toEqual(['2026-01-01T02-00-00Z'])
  })

  it('print their usage', async () => {
    expect(await failure(tool('backup.ts', [], lost))).toContain('usage:')
    const keepsNone = tool('backup.ts', ['backup', '--into', folder, '--keep', '0'], lost)
    expect(await failure(keepsNone)).toContain('--keep must be a whole number of at least 1, not "0"')
    expect(await failure(tool('backup.ts', ['backup', folder, 'nothing'], lost))).toContain(
      'there is no service nothing',
    )
  })
})
