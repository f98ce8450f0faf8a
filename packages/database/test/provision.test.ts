import { randomBytes } from 'node:crypto'
import { afterAll, describe, expect, it } from '@jest/globals'
import { testPostgres } from '@wp/testkit'
import { Client } from 'pg'
import { databaseNames, databaseUrls, migrate, ownerUrlOf, provision } from '../src/index.ts'

const run = randomBytes(4).toString('hex')
const services = [`one-${run}`, `two-${run}`, `three-${run}`]
const passwords = { owner: 'pass/word%41?@', app: "it's", worker: 'w' }
const administrator = `admin_${run}`

afterAll(() =>
  asAdmin(async (admin) => {
    for (const names of services.map(databaseNames)) {
      await admin.query(`DROP DATABASE IF EXISTS ${names.database}`)
      for (const role of [names.owner, names.app, names.worker]) await admin.query(`DROP ROLE IF EXISTS ${role}`)
    }
    await admin.query(`DROP OWNED BY ${administrator}; DROP ROLE ${administrator}`)
  }),
)

describe('provision', () => {
  it('creates a database to which only its own roles can connect, also when run repeatedly and concurrently', async () => {
    const [one = '', two = ''] = services
    const make = (service: string) => provision({ adminUrl: testPostgres(), service, passwords })
    await Promise.all([make(one), make(one), make(two)])
    expect(await make(one)).toEqual({
      database: `wp_one_${run}`,
      owner: `wp_one_${run}_owner`,
      app: `wp_one_${run}`,
      worker: `wp_one_${run}_worker`,
    })
    const urls = databaseUrls(testPostgres(), one, passwords)
    await migrate({ ownerUrl: urls.owner })
    expect(await query(urls.app, 'SELECT current_user AS who')).toEqual([{ who: `wp_one_${run}` }])
    expect(await query(urls.worker, 'SELECT count(*)::int FROM platform.jobs')).toEqual([{ count: 0 }])
    const foreignUrls = databaseUrls(testPostgres(), two, passwords, databaseNames(one).database)
    for (const url of Object.values(foreignUrls))
      await expect(query(url, 'SELECT 1')).rejects.toThrow('permission denied')
    for (const url of [urls.app, urls.worker])
      await expect(query(url, 'CREATE TABLE unwanted (id int)')).rejects.toThrow('permission denied')
  })

  it('changes a password when it is given a new one', async () => {
    const [one = ''] = services
    const rotated = { ...passwords, app: 'new' }
    await provision({ adminUrl: testPostgres(), service: one, passwords: rotated })
    await expect(query(databaseUrls(testPostgres(), one, passwords).app, 'SELECT 1')).rejects.toThrow(
      'authentication failed',
    )
    expect(await query(databaseUrls(testPostgres(), one, rotated).app, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  })

  it('works without a superuser, and so do migrations', async () => {
    const three = services[2] ?? ''
    const adminUrl = new URL(testPostgres())
    adminUrl.username = administrator
    adminUrl.password = 'a'
    await asAdmin(async (admin) => {
      await admin.query(`CREATE ROLE ${administrator} LOGIN CREATEROLE CREATEDB PASSWORD 'a'`)
      // In this test run the groups may have been created by the superuser, who must allow granting them.
      await admin.query(`GRANT wp_app, wp_worker TO ${administrator} WITH ADMIN OPTION`)
    })
    await provision({ adminUrl: adminUrl.href, service: three, passwords })
    await provision({ adminUrl: adminUrl.href, service: three, passwords })
    const urls = databaseUrls(testPostgres(), three, passwords)
    expect(await query(ownerUrlOf(adminUrl.href, three), 'SELECT current_user AS who')).toEqual([
      { who: databaseNames(three).owner },
    ])
    expect(await migrate({ ownerUrl: ownerUrlOf(adminUrl.href, three) })).toEqual(['0001_platform'])
    expect(await migrate({ ownerUrl: urls.owner })).toEqual([])
    expect(await query(urls.owner, `SELECT tableowner FROM pg_tables WHERE tablename = 'jobs'`)).toEqual([
      { tableowner: databaseNames(three).owner },
    ])
    expect(await query(urls.app, 'SELECT count(*)::int FROM platform.jobs')).toEqual([{ count: 0 }])
  })
})

async function asAdmin(work: (admin: Client) => Promise<void>): Promise<void> {
  const admin = new Client({ connectionString: testPostgres() })
  await admin.connect()
  await work(admin).finally(() => admin.end())
}

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}
