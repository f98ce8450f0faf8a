import { randomBytes } from 'node:crypto'
import { afterAll, describe, expect, it } from '@jest/globals'
import { createAuthority, eventually, findFreePort, startPostgres } from '@wp/testkit'
import { postgresReader } from '../../../src/providers/postgres/postgres-reader.ts'
import { createTables } from '../../support/sources/postgres-tables.ts'
import { crawlAll, crawlFailureOf, localOutbound } from '../../support/sources/run-crawl.ts'
import { startTlsProxy } from '../../support/sources/tls-proxy.ts'

const tables = await createTables()
await tables.run(`CREATE TABLE kept (n int);
  INSERT INTO kept VALUES (1);
  CREATE SEQUENCE counter;
  CREATE FUNCTION writes() RETURNS int LANGUAGE plpgsql AS $$ BEGIN INSERT INTO kept VALUES (2); RETURN 1; END $$;
  CREATE FUNCTION commits() RETURNS int LANGUAGE plpgsql AS $$ BEGIN COMMIT; INSERT INTO kept VALUES (2); RETURN 1; END $$;
  CREATE FUNCTION unlocks() RETURNS int LANGUAGE plpgsql AS $$
    BEGIN SET LOCAL transaction_read_only = off; INSERT INTO kept VALUES (2); RETURN 1; END $$`)
const closing: (() => unknown)[] = []
afterAll(async () => {
  await tables.drop()
  for (const close of closing) await close()
})

const sessions = async () => {
  const [row] = await tables.run(`SELECT count(*)::int AS count FROM pg_stat_activity
    WHERE application_name = 'workspace-platform' AND datname = current_database()`)
  return row?.count
}

describe('the query of a source', () => {
  // Of each kind of statement one or two, because each crawl starts a process.
  it.each([
    'SELECT 1; DELETE FROM kept',
    'SELECT 1) AS q; COMMIT; DELETE FROM kept; SELECT * FROM (SELECT 1',
    'SELECT 1) AS q; DELETE FROM kept; --',
    'COMMIT',
    'DELETE FROM kept RETURNING *',
    'WITH gone AS (DELETE FROM kept RETURNING *) SELECT * FROM gone',
    'SELECT 1) AS q, (WITH gone AS (DELETE FROM kept RETURNING *) SELECT * FROM gone',
    'SELECT * INTO other FROM kept',
    'SET TRANSACTION READ WRITE',
    "COPY (SELECT 1) TO PROGRAM 'true'",
    'CALL commits()',
    'DO $$ BEGIN DELETE FROM kept; END $$',
    'SELECT commits()',
    'SELECT unlocks()',
    "SELECT nextval('counter')",
    "SELECT set_config('transaction_read_only', 'off', true), writes()",
  ])('cannot change anything: %s', async (query) => {
    // With a cursor_field the query is a part of a larger one, which only a bracket or a semicolon could leave.
    const configs = /^SELECT 1[;)]/.test(query) ? [{}, { cursor_field: 'n' }] : [{}]
    for (const more of configs)
      expect(await tables.fails({ query, ...more })).toMatchObject({
        code: expect.stringMatching(/^(config|schema)$/),
        retryable: false,
      })
    const state = "SELECT ARRAY(SELECT n FROM kept) AS kept, to_regclass('other') AS other, is_called FROM counter"
    expect(await tables.run(state)).toEqual([{ kept: [1], other: null, is_called: false }])
  })

  it('leaves no notification, lock or setting behind', async () => {
    const query = "SELECT pg_notify('x', 'y'), pg_advisory_lock(7), set_config('work_mem', '1MB', false)"
    expect((await tables.crawl({ query })).values).toHaveLength(1)
    expect(
      await tables.run(`SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objid = 7
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`),
    ).toEqual([])
  })

  it.each([
    ['SELECT 1 AS n ; \n;\n', 1],
    ['SELECT 1 AS n; -- the end\n -- in two lines\n', 1],
    ["SELECT '; -- x' AS n", '; -- x'],
    ['SELECT $$; -- x$$ AS n', '; -- x'],
    ['SELECT n AS "n;" FROM kept;', undefined],
    ['WITH one AS (SELECT 1 AS n) SELECT * FROM one', 1],
    ['TABLE kept', 1],
    ['VALUES (1)', undefined],
    ['(SELECT 1 AS n) UNION ALL SELECT 2 ORDER BY n DESC', 2],
    ['/* first */ SELECT 1 AS n', 1],
  ])('keeps its meaning: %s', async (query, n) => {
    const { values } = await tables.crawl({ query })
    expect(Object(values[0]).n).toEqual(n)
  })

  it('reads one snapshot, however long the crawl takes', async () => {
    await tables.run('CREATE TABLE moving AS SELECT n FROM generate_series(1, 1000) n')
    const iterator = postgresReader.crawl(tables.crawlOf({ query: 'SELECT * FROM moving' }))
    let rows = 0
    for await (const page of iterator) {
      if (rows === 0) await tables.run('INSERT INTO moving SELECT n FROM generate_series(1001, 2000) n')
      rows += page.rows.length
    }
    expect(rows).toBe(1000)
  })
})

describe('a failed crawl', () => {
  it.each<[string, string, string, Record<string, unknown>?]>([
    ['SELECT\n  1 FORM kept', 'config', 'syntax error at or near "kept" (line 2, column 10 of the query)'],
    ["SELECT 'ü😀', 1 FORM kept", 'config', 'syntax error at or near "kept" (line 1, column 21 of the query)'],
    ['SELECT nothing FROM kept', 'schema', 'column "nothing" does not exist (line 1, column 8 of the query)'],
    ['SELECT * FROM nothing', 'schema', 'relation "nothing" does not exist (line 1, column 15 of the query)'],
    ['SELECT * FROM kept', 'schema', 'The query returns no column "at", the cursor_field', { cursor_field: 'at' }],
    [
      "SELECT '{}'::json AS at",
      'config',
      'could not identify an ordering operator for type json',
      { cursor_field: 'at' },
    ],
    ['SELECT n, n FROM kept', 'config', 'The query names the column "n" twice'],
    ['SELECT 1 / (n - 1) FROM kept', 'config', 'division by zero'],
    ['', 'config', 'syntax error at or near ")"'],
    ['SELECT $1', 'config', 'bind message supplies 0 parameters'],
    [
      'SELECT pg_sleep(60)',
      'config',
      'The query took longer than 1 s (statement_timeout_seconds)',
      { statement_timeout_seconds: 1 },
    ],
  ])('reports cause and position of %s', async (query, code, message, more = {}) => {
    expect(await tables.fails({ query, ...more })).toEqual({
      code,
      message: expect.stringContaining(message),
      retryable: false,
    })
    await eventually(async () => (await sessions()) === 0)
  })

  it('reports a stored cursor that the column type no longer accepts', async () => {
    await tables.run('CREATE TABLE turned AS SELECT 1 AS at')
    const config = { query: 'SELECT * FROM turned', cursor_field: 'at' }
    const { cursor } = await tables.crawl(config)
    await tables.run("ALTER TABLE turned ALTER COLUMN at TYPE timestamptz USING '2026-01-01Z'")
    expect(await tables.fails(config, { cursor })).toMatchObject({
      code: 'config',
      message: expect.stringContaining('invalid input syntax for type timestamp with time zone: "1"'),
    })
  })

  it('reports authentication and permission errors', async () => {
    const query = 'SELECT * FROM kept'
    const stranger = new URL(tables.strangerUrl)
    const asStranger = {
      integrationConfig: { user: stranger.username },
      password: decodeURIComponent(stranger.password),
    }
    const auth = (message: string) => ({ code: 'auth', message: expect.stringContaining(message), retryable: false })
    expect(await tables.fails({ query }, asStranger)).toEqual(auth('permission denied for table kept'))
    expect(await tables.fails({ query }, { password: 'wrong' })).toEqual(auth('password authentication failed'))
    expect(await tables.fails({ query }, { password: '' })).toEqual(auth('password'))
    expect(await tables.fails({ query }, { integrationConfig: { user: 'unknown' } })).toEqual(auth('unknown'))
    expect(await tables.fails({ query }, { integrationConfig: { database: 'nothing' } })).toMatchObject({
      code: 'config',
      message: 'database "nothing" does not exist',
    })
    expect(await tables.fails({ query }, { integrationConfig: { ssl: 'verify' } })).toMatchObject({
      code: 'config',
      message: 'The server does not speak TLS',
    })
    expect(await tables.fails({ query }, { integration: undefined })).toMatchObject({ code: 'config' })
    expect(await tables.fails({ query }, { integrationConfig: { port: await findFreePort() } })).toMatchObject({
      code: 'transient',
      retryable: true,
    })
  })

  it('is retried after it could not obtain a lock', async () => {
    const { Client } = await import('pg')
    const locker = new Client({ connectionString: tables.url })
    await locker.connect()
    await locker.query('BEGIN; LOCK TABLE kept')
    const waiting = tables.fails({ query: 'SELECT * FROM kept' })
    const ofWaiting = "FROM pg_locks WHERE relation = 'kept'::regclass AND NOT granted"
    await eventually(async () => (await tables.run(`SELECT 1 ${ofWaiting}`)).length > 0)
    // As an administrator would.
    await tables.run(`SELECT pg_cancel_backend(pid) ${ofWaiting}`)
    expect(await waiting).toMatchObject({ code: 'transient', retryable: true })
    await locker.end()
  })
})

describe('the connection of a crawl', () => {
  const query = 'SELECT n FROM kept'

  it('requires a trusted TLS certificate for the host', async () => {
    const authority = createAuthority()
    const front = async (names: string[], by = authority) => startTlsProxy(tables.port, by.issue({ names }))
    const [own, others, wrong] = [
      await front(['127.0.0.1', 'localhost']),
      await front(['127.0.0.1'], createAuthority()),
      await front(['elsewhere.test']),
    ]
    const trusting = localOutbound({ ca: authority.certificate })
    const doubting = localOutbound()
    closing.push(own.close, others.close, wrong.close, trusting.close, doubting.close)
    const through = (port: number, ca?: string, outbound = trusting, host = '127.0.0.1') => {
      const crawl = tables.crawlOf({ query }, { outbound, integrationConfig: { host, port, ssl: 'verify' } })
      if (crawl.integration && ca !== undefined) crawl.integration.secrets = { ...crawl.integration.secrets, ca }
      return crawl
    }
    for (const crawl of [
      through(own.port),
      through(own.port, undefined, trusting, 'localhost'),
      through(own.port, authority.certificate, doubting),
    ])
      expect((await crawlAll(postgresReader, crawl)).values).toEqual([{ n: 1 }])
    expect(own.connections()).toEqual({ came: 3, secure: 3 })
    const untrusted =
      'the authority of the certificate is not known, or the server does not send its intermediate certificates'
    for (const [crawl, reason] of [
      [through(own.port, undefined, doubting), `${untrusted}; to accept a private authority, set \`secrets.ca\``],
      [through(others.port), `${untrusted}; to accept a private authority, set \`secrets.ca\``],
      [through(others.port, authority.certificate, doubting), `${untrusted}; only that of \`secrets.ca\` is accepted`],
      [through(wrong.port), 'the certificate is for another host name'],
    ] as const)
      expect(await crawlFailureOf(postgresReader, crawl)).toMatchObject({
        code: 'config',
        message: `no trusted TLS connection to 127.0.0.1: ${reason}`,
        retryable: false,
      })
  })

  it.each(['disable', 'verify'])(
    'is closed and its statement cancelled when the crawl is aborted (ssl: %s)',
    async (ssl) => {
      const authority = createAuthority()
      const front = await startTlsProxy(tables.port, authority.issue({ names: ['127.0.0.1'] }))
      const outbound = localOutbound({ ca: authority.certificate })
      closing.push(front.close, outbound.close)
      const controller = new AbortController()
      const integrationConfig = ssl === 'verify' ? { ssl, port: front.port } : {}
      const crawl = tables.crawlOf(
        // The server writes nothing while it computes, so it would not notice a closed connection.
        { query: 'SELECT count(*) FROM generate_series(1, 20000000) a, generate_series(1, 100000) b' },
        { outbound, integrationConfig, signal: controller.signal },
      )
      const outcome = crawlAll(postgresReader, crawl).catch((error: unknown) => error)
      const active = async () =>
        (
          await tables.run(`SELECT 1 FROM pg_stat_activity
            WHERE datname = current_database() AND state = 'active' AND query LIKE 'FETCH%'`)
        ).length
      await eventually(async () => (await active()) === 1)
      const reason = new Error('the process ends')
      controller.abort(reason)
      expect(await outcome).toBe(reason)
      await eventually(async () => (await sessions()) === 0)
      if (ssl === 'verify') expect(front.connections()).toEqual({ came: 2, secure: 2 })
    },
  )

  it('is closed when the crawl is aborted between pages or its consumer returns', async () => {
    const many = 'SELECT n FROM generate_series(1, 100000) n'
    const controller = new AbortController()
    const cut = postgresReader.crawl(tables.crawlOf({ query: many }, { signal: controller.signal }))
    await cut.next()
    controller.abort(new Error('enough'))
    await eventually(async () => (await sessions()) === 0)
    await expect(cut.next()).rejects.toThrow('enough')
    const left = postgresReader.crawl(tables.crawlOf({ query: many }))
    await left.next()
    await left.return('complete')
    // The backend of PostgreSQL ends a moment after its client has closed the connection.
    await eventually(async () => (await sessions()) === 0)
    // Within a FETCH that takes more than one page.
    const long = "SELECT repeat('x', 250000) AS t FROM generate_series(1, 100) n"
    const stopped = postgresReader.crawl(tables.crawlOf({ query: long }))
    await stopped.next()
    await stopped.return('complete')
    await eventually(async () => (await sessions()) === 0)
    const before = new AbortController()
    before.abort(new Error('too late'))
    await expect(crawlAll(postgresReader, tables.crawlOf({ query }, { signal: before.signal }))).rejects.toThrow(
      'too late',
    )
  })

  it('fails as transient when the session or the server is terminated', async () => {
    const server = await startPostgres()
    closing.push(server.stop)
    const own = await createTables(server.url)
    // Reads until the connection fails: a backend may serve a few more statements after the postmaster was killed.
    const lost = async (end: () => Promise<unknown>) => {
      const iterator = postgresReader.crawl(own.crawlOf({ query: 'SELECT generate_series(1, 1000000000) AS n' }))
      await iterator.next()
      await end()
      for (;;)
        try {
          await iterator.next()
        } catch (error) {
          return Object(error).error
        }
    }
    const ended = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'workspace-platform'`
    expect(await lost(() => own.run(ended))).toMatchObject({ code: 'transient', retryable: true })
    expect(await lost(() => server.restart())).toMatchObject({ code: 'transient', retryable: true })
    expect(await lost(() => server.kill())).toMatchObject({ code: 'transient', retryable: true })
  })

  it('is never opened to an address that is not public', async () => {
    // Which addresses are not public is tested in the package `outbound`.
    for (const address of ['10.0.0.1', '::1']) {
      const lookup = async () => [{ address, family: address.includes(':') ? 6 : 4 }]
      const outbound = localOutbound({ allowCidrs: [], lookup })
      const crawl = tables.crawlOf({ query }, { outbound, integrationConfig: { host: 'name.test' } })
      expect([address, await crawlFailureOf(postgresReader, crawl)]).toEqual([
        address,
        {
          code: 'transient',
          message: expect.stringMatching(/^name.test is not a public address, and does not resolve to one/),
          retryable: true,
        },
      ])
      outbound.close()
    }
    const strict = localOutbound({ allowCidrs: [] })
    closing.push(strict.close)
    for (const host of ['127.0.0.1', '2130706433', 'localhost', '::1', '169.254.169.254'])
      expect(
        await crawlFailureOf(
          postgresReader,
          tables.crawlOf({ query }, { outbound: strict, integrationConfig: { host } }),
        ),
      ).toMatchObject({
        code: 'config',
        message: expect.stringContaining('is not a public address'),
      })
  })

  it('never uses the password of the operator', async () => {
    process.env.PGPASSWORD = decodeURIComponent(new URL(tables.url).password)
    try {
      expect(await tables.fails({ query }, { password: '' })).toMatchObject({ code: 'auth' })
      expect(await tables.fails({ query }, { password: randomBytes(8).toString('hex') })).toMatchObject({
        code: 'auth',
      })
    } finally {
      delete process.env.PGPASSWORD
    }
  })
})
