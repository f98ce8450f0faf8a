import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { eventually } from '@wp/testkit'
import { postgresReader } from '../../../src/providers/postgres/postgres-reader.ts'
import { createTables } from '../../support/sources/postgres-tables.ts'

const tables = await createTables()
afterAll(() => tables.drop())

/** Expressions, and the values read for them. */
const conversions: [string, unknown][] = [
  ['true', true],
  ['7::smallint', 7],
  ['-7', -7],
  ['4000000000::oid', 4_000_000_000],
  ['9007199254740991::bigint', 9_007_199_254_740_991],
  ['9007199254740993::bigint', '9007199254740993'],
  ["'-9223372036854775808'::bigint", '-9223372036854775808'],
  ['1.50::numeric', 1.5],
  ['100::numeric(10,2)', 100],
  ['0.00::numeric', 0],
  ['0.1::numeric', 0.1],
  ['123456789012.345::numeric', 123_456_789_012.345],
  ['123456789012.3456::numeric', '123456789012.3456'],
  ['0.12345678901234567890::numeric', '0.12345678901234567890'],
  ['9007199254740993::numeric', '9007199254740993'],
  ["('0.' || repeat('0', 320) || '1')::numeric", `0.${'0'.repeat(320)}1`],
  ["('1' || repeat('0', 400))::numeric", `1${'0'.repeat(400)}`],
  ["'NaN'::numeric", 'NaN'],
  ["'Infinity'::numeric", 'Infinity'],
  ['0.1::real', 0.1],
  ['0.1::float8 + 0.2::float8', 0.30000000000000004],
  ['1e308::float8', 1e308],
  ["'NaN'::float8", 'NaN'],
  ["'-Infinity'::float8", '-Infinity'],
  [`'{"a": [1, null, 12345678901234567890]}'::json`, { a: [1, null, '12345678901234567890'] }],
  [`'{"a": {"b": 1.5}}'::jsonb`, { a: { b: 1.5 } }],
  [`'"text"'::jsonb`, 'text'],
  ["'\\x00ff10'::bytea", 'AP8Q'],
  ["''::text", ''],
  ["'ünï'::varchar", 'ünï'],
  ["'0b0e5b0c-6a42-4f6f-8f5e-0e4f5e0b0c6a'::uuid", '0b0e5b0c-6a42-4f6f-8f5e-0e4f5e0b0c6a'],
  ["DATE '2026-03-29'", '2026-03-29'],
  ["DATE '0044-03-15 BC'", '0044-03-15 BC'],
  ["DATE 'infinity'", 'infinity'],
  ["TIMESTAMP '2026-03-29 02:30:00.000001'", '2026-03-29T02:30:00.000001'],
  ["TIMESTAMP '0044-03-15 12:00 BC'", '0044-03-15 12:00:00 BC'],
  ["TIMESTAMPTZ '2026-03-29 02:30:00.123456+05:30'", '2026-03-28T21:00:00.123456Z'],
  ["TIMESTAMPTZ '-infinity'", '-infinity'],
  ["TIME '12:30:01.5'", '12:30:01.5'],
  ["TIMETZ '12:30:01.5+02'", '12:30:01.5+02'],
  ["INTERVAL '1 year 2 days -03:04:05.6'", 'P1Y2DT-3H-4M-5.6S'],
  ['ARRAY[1, NULL, 3]', [1, null, 3]],
  ["'{}'::int[]", []],
  [
    'ARRAY[[1,2],[3,4]]::bigint[]',
    [
      [1, 2],
      [3, 4],
    ],
  ],
  ["'[0:1]={1,2}'::int[]", [1, 2]],
  [
    `ARRAY['a,b', 'say "x"', 'back\\slash', '{', 'NULL', NULL, '']`,
    ['a,b', 'say "x"', 'back\\slash', '{', 'NULL', null, ''],
  ],
  ["ARRAY[TIMESTAMPTZ '2026-01-01 00:00+01']", ['2025-12-31T23:00:00Z']],
  [`ARRAY['{"a":1}'::jsonb]`, [{ a: 1 }]],
  ["ARRAY[box '((1,1),(0,0))', box '((2,2),(1,1))']", ['(1,1),(0,0)', '(2,2),(1,1)']],
  ["'1 2'::int2vector", '1 2'],
  ["ROW(1, 'a')", '(1,a)'],
  ['int4range(1, 5)', '[1,5)'],
  ["inet '10.0.0.1/8'", '10.0.0.1/8'],
  ["B'101'", '101'],
]

describe('PostgreSQL values', () => {
  /** All are columns of one query, because each crawl starts a process. */
  let converted: unknown
  beforeAll(async () => {
    const columns = conversions.map(([expression], index) => `${expression} AS "${index}"`)
    const { values } = await tables.crawl({ query: `SELECT ${columns.join(', ')}` })
    converted = values[0]
  })

  it.each(conversions.map(([expression, value], index) => ({ expression, value, index })))(
    'convert $expression',
    ({ value, index }) => {
      expect(Object(converted)[index]).toEqual(value)
    },
  )

  it('convert enums, domains and arrays of them', async () => {
    await tables.run(`CREATE TYPE mood AS ENUM ('glad', 'so so');
      CREATE DOMAIN amount AS numeric CHECK (VALUE > 0);
      CREATE TABLE own (m mood, ms mood[], a amount, "as" amount[], n text);
      INSERT INTO own VALUES ('so so', '{glad,"so so"}', 2.50, '{1.5,3}', NULL)`)
    expect((await tables.crawl({ query: 'SELECT * FROM own' })).values).toEqual([
      { m: 'so so', ms: ['glad', 'so so'], a: 2.5, as: [1.5, 3], n: null },
    ])
  })

  it('do not depend on the settings of the role', async () => {
    await tables.run(`CREATE ROLE odd_${tables.port} LOGIN SUPERUSER PASSWORD 'odd';
      ALTER ROLE odd_${tables.port} SET datestyle = 'German';
      ALTER ROLE odd_${tables.port} SET timezone = 'Asia/Kolkata';
      ALTER ROLE odd_${tables.port} SET intervalstyle = 'sql_standard';
      ALTER ROLE odd_${tables.port} SET extra_float_digits = 0;
      ALTER ROLE odd_${tables.port} SET bytea_output = 'escape'`)
    const query = `SELECT TIMESTAMPTZ '2026-02-03 00:00Z' AS t, DATE '2026-02-03' AS d, INTERVAL '1 day' AS i,
      0.1::float8 + 0.2 AS f, '\\x61'::bytea AS b`
    const as = { integrationConfig: { user: `odd_${tables.port}` }, password: 'odd' }
    expect((await tables.crawl({ query }, as)).values).toEqual([
      { t: '2026-02-03T00:00:00Z', d: '2026-02-03', i: 'P1D', f: 0.30000000000000004, b: 'YQ==' },
    ])
    await tables.run(`DROP ROLE odd_${tables.port}`)
  })
})

describe('an incremental crawl', () => {
  const at = (micros: number) => `2026-05-01T10:00:00.${String(micros).padStart(6, '0')}Z`

  it.each([
    ['timestamptz', "TIMESTAMPTZ '2026-05-01 10:00Z' + n * INTERVAL '1 microsecond'"],
    ['timestamp', "TIMESTAMP '2026-05-01 10:00' + n * INTERVAL '1 microsecond'"],
    ['bigint', '9007199254740990 + n'],
    ['numeric', '0.12345678901234567890 + n / 100000000000000000000.0'],
    ['float8', '0.1 * n'],
    ['text', "'it''s \\ ' || lpad(n::text, 4, '0')"],
    ['uuid', "('00000000-0000-0000-0000-' || lpad(n::text, 12, '0'))::uuid"],
    ['date', "DATE '2026-01-01' + n"],
  ])('resumes at the last value of a %s column, inclusive', async (type, expression) => {
    await tables.run(
      `CREATE TABLE grow (n int, c ${type}); INSERT INTO grow SELECT n, ${expression} FROM generate_series(1, 5) n`,
    )
    try {
      const config = { query: 'SELECT n, c FROM grow', cursor_field: 'c' }
      const first = await tables.crawl(config)
      expect(first.values.map((row) => Object(row).n)).toEqual([1, 2, 3, 4, 5])
      expect(first.end).toBe('complete')
      await tables.run(`INSERT INTO grow SELECT n, ${expression} FROM generate_series(6, 7) n`)
      // A row with the same last value, written later.
      await tables.run(`INSERT INTO grow SELECT 50, ${expression} FROM generate_series(5, 5) n`)
      const second = await tables.crawl(config, { cursor: first.cursor })
      expect(second.values.map((row) => Object(row).n).toSorted()).toEqual([5, 50, 6, 7])
    } finally {
      await tables.run('DROP TABLE grow')
    }
  })

  it('resumes after any page without losing rows of equal value', async () => {
    await tables.run(`CREATE TABLE ties (n int, at timestamptz);
      INSERT INTO ties SELECT n, TIMESTAMPTZ '2026-05-01 10:00Z' + (n / 400) * INTERVAL '1 microsecond' FROM generate_series(1, 1500) n`)
    const config = { query: 'SELECT * FROM ties', cursor_field: 'at' }
    const { pages } = await tables.crawl(config)
    expect(pages.length).toBeGreaterThan(2)
    for (const [index, { cursor, rows }] of pages.entries()) {
      const rest = await tables.crawl(config, { cursor })
      const before = pages.slice(0, index).flatMap((page) => page.rows)
      const seen = new Set([...before, ...rows].map((row) => ('reason' in row ? 0 : row.value.n)))
      for (const row of rest.values) seen.add(Object(row).n)
      expect(seen.size).toBe(1500)
    }
    expect(pages.flatMap(({ rows }) => rows.map(({ line }) => line))).toEqual(
      Array.from({ length: 1500 }, (_, n) => n + 1),
    )
  })

  it('reads rows with null last, and only from the beginning or in a full crawl', async () => {
    await tables.run(`CREATE TABLE gaps (n int, at timestamptz);
      INSERT INTO gaps VALUES (1, NULL), (2, '2026-05-01 10:00:00.000001Z'), (3, 'infinity'), (4, '-infinity')`)
    const config = { query: 'SELECT * FROM gaps', cursor_field: 'at' }
    const first = await tables.crawl(config)
    expect(first.values).toEqual([
      { n: 4, at: '-infinity' },
      { n: 2, at: at(1) },
      { n: 3, at: 'infinity' },
      { n: 1, at: null },
    ])
    await tables.run(`INSERT INTO gaps VALUES (5, NULL), (6, '2026-05-01 10:00:00.000002Z')`)
    // Infinite values are read again and do not hide later rows.
    const second = await tables.crawl(config, { cursor: first.cursor })
    expect(second.values.map((row) => Object(row).n)).toEqual([2, 6, 3])
    const full = await tables.crawl(config, { cursor: second.cursor, mode: 'full' })
    expect(full).toMatchObject({ end: 'complete', cursor: second.cursor })
    expect(full.values).toHaveLength(6)
  })

  it('reads rows with null when it resumes an interrupted crawl from the beginning', async () => {
    await tables.run(`CREATE TABLE few AS SELECT n, CASE WHEN n < 300 THEN n END AS at FROM generate_series(1, 310) n`)
    const config = { query: 'SELECT * FROM few', cursor_field: 'at' }
    const { pages, cursor } = await tables.crawl(config)
    const rest = await tables.crawl(config, { cursor: pages[0]?.cursor })
    expect(rest.values.filter((row) => Object(row).at === null)).toHaveLength(11)
    expect(rest.cursor).toBe(cursor)
    expect((await tables.crawl(config, { cursor })).values).toEqual([{ n: 299, at: 299 }])
  })

  it('reads the last overlap_seconds again for every date and timestamp type', async () => {
    await tables.run(`CREATE TABLE late AS SELECT n, at, at AT TIME ZONE 'UTC' AS plain, at::date AS day
      FROM generate_series(0, 9) n, LATERAL (SELECT TIMESTAMPTZ '2026-05-01 10:00Z' + n * INTERVAL '12 hours' AS at) t`)
    for (const [cursor_field, overlap_seconds, expected] of [
      ['at', 86_400, [7, 8, 9]],
      ['at', 43_200, [8, 9]],
      ['plain', 43_200, [8, 9]],
      ['day', 86_400, [6, 7, 8, 9]],
      ['at', 0, [9]],
    ] as const) {
      const config = { query: 'SELECT * FROM late', cursor_field, overlap_seconds }
      const { cursor } = await tables.crawl(config)
      const again = await tables.crawl(config, { cursor })
      expect(again.values.map((row) => Object(row).n).toSorted()).toEqual(expected)
    }
    expect(await tables.fails({ query: 'SELECT * FROM late', cursor_field: 'n', overlap_seconds: 1 })).toEqual({
      code: 'config',
      message: expect.stringContaining('"n" is neither'),
      retryable: false,
    })
  })

  it('starts again when query or cursor column changed', async () => {
    await tables.run('CREATE TABLE two AS SELECT n AS a, n AS b FROM generate_series(1, 3) n')
    const config = { query: 'SELECT * FROM two', cursor_field: 'a' }
    const { cursor } = await tables.crawl(config)
    expect((await tables.crawl(config, { cursor })).values).toHaveLength(1)
    expect((await tables.crawl({ ...config, cursor_field: 'b' }, { cursor })).values).toHaveLength(3)
    expect((await tables.crawl({ ...config, query: 'SELECT a, b FROM two' }, { cursor })).values).toHaveLength(3)
    expect((await tables.crawl(config, { cursor: 'nonsense' })).values).toHaveLength(3)
    await tables.run('TRUNCATE two')
    expect(await tables.crawl(config, { cursor })).toMatchObject({ end: 'unchanged', values: [] })
    expect(await tables.crawl(config, { cursor, mode: 'full' })).toMatchObject({ end: 'complete', values: [] })
  })

  it('accepts any name of the cursor column', async () => {
    const config = { query: `SELECT 1 AS "we""ird; --", 2 AS x`, cursor_field: 'we"ird; --' }
    const { values, cursor } = await tables.crawl(config)
    expect(values).toEqual([{ 'we"ird; --': 1, x: 2 }])
    expect((await tables.crawl(config, { cursor })).values).toHaveLength(1)
  })
})

describe('the pages of a crawl', () => {
  it('have a bounded size, however long rows are', async () => {
    const query = `SELECT n, repeat('x', CASE WHEN n <= 3000 THEN 10 WHEN n <= 3300 THEN 100000 ELSE 10 END) AS t
      FROM generate_series(1, 4000) n`
    const { pages, values } = await tables.crawl({ query })
    const lengths = pages.map(({ rows }) => JSON.stringify(rows).length)
    expect(Math.max(...lengths)).toBeLessThan(4.5 * 1024 * 1024)
    expect(Math.max(...pages.map(({ rows }) => rows.length))).toBe(1000)
    expect(values.map((row) => Object(row).n)).toEqual(Array.from({ length: 4000 }, (_, n) => n + 1))
  })

  it('reject rows that are too large to be stored', async () => {
    const { values } = await tables.crawl({
      query: `SELECT n, repeat('x', n * 300000) AS t FROM generate_series(0, 2) n`,
    })
    expect(values).toEqual([{ n: 0, t: '' }, { n: 1, t: 'x'.repeat(300_000) }, 'is larger than 256 KiB'])
  })

  it('are not computed before they are requested', async () => {
    const iterator = postgresReader.crawl(
      tables.crawlOf({ query: `SELECT n, pg_advisory_lock(n) FROM generate_series(1, 100000) n` }),
    )
    await iterator.next()
    const locks = `SELECT count(*)::int AS count FROM pg_locks WHERE locktype = 'advisory' AND database =
      (SELECT oid FROM pg_database WHERE datname = current_database())`
    expect(await tables.run(locks)).toEqual([{ count: 100 }])
    await iterator.next()
    expect(await tables.run(locks)).toEqual([{ count: 500 }])
    await iterator.return('complete')
    // The server ends the session after the connection is closed.
    await eventually(async () => (await tables.run(locks))[0]?.count === 0)
  })

  it('are not received before they are requested, even within one FETCH', async () => {
    const query = `SELECT n, repeat('x', CASE WHEN n <= 3000 THEN 10 ELSE 100000 END) AS t FROM generate_series(1, 4000) n`
    // Counts the bytes that the server could send.
    let bytes = 0
    const proxy = createServer((front) => {
      const back = connect(tables.port, tables.host)
      back.on('data', (chunk) => {
        bytes += chunk.length
      })
      front.on('error', () => {}).once('close', () => back.destroy())
      back.on('error', () => {}).once('close', () => front.destroy())
      front.pipe(back).pipe(front)
    }).listen(0, '127.0.0.1')
    await once(proxy, 'listening')
    const { port } = proxy.address() as AddressInfo // it listens on TCP
    const iterator = postgresReader.crawl(tables.crawlOf({ query }, { integrationConfig: { host: '127.0.0.1', port } }))
    for (let rows = 0; rows <= 3000; ) {
      const next = await iterator.next()
      rows += next.done === true ? Number.NaN : next.value.rows.length
    }
    // The server keeps the rest of the 100 MB that one FETCH requested, but for the buffers of both systems.
    await iterator.next()
    expect(bytes).toBeLessThan(40 * 1024 * 1024)
    await iterator.return('complete')
    proxy.close()
  })

  it('keep the heap flat over 30,000 rows', async () => {
    setFlagsFromString('--expose-gc')
    const collectGarbage: () => void = runInNewContext('gc')
    const heap = () => {
      collectGarbage()
      return process.memoryUsage().heapUsed
    }
    const query = `SELECT n, md5(n::text) AS a, repeat('x', 200) AS b, now() AS at, ARRAY[n, n + 1] AS l
      FROM generate_series(1, 30000) n`
    let [rows, sum, before, most] = [0, 0, Number.NaN, 0]
    for await (const page of postgresReader.crawl(tables.crawlOf({ query }))) {
      const next = rows + page.rows.length
      for (const row of page.rows) sum += 'reason' in row ? 0 : Number(row.value.n)
      if (rows === 0) before = heap()
      else if (Math.floor(next / 10_000) > Math.floor(rows / 10_000)) most = Math.max(most, heap())
      rows = next
    }
    expect([rows, sum]).toEqual([30_000, (30_000 * 30_001) / 2])
    // A page of 1,000 such rows takes less than 2 MiB, all of them more than 15.
    expect((most - before) / 1_048_576).toBeLessThan(8)
  })
})
