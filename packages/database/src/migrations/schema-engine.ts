// Prisma's schema engine as WebAssembly, over an adapter of our own. What is bent, and why:
//
// - `connect` alone is offered: the stock `connectToShadowDb` goes to the main database when given a connection string,
//   and `executeScript` splits at semicolons, which breaks `$$` bodies. Neither is needed, because the engine gets a
//   database that our own migrator has filled, and only looks at it.
// - The pool is ours and is ended at once: the adapter's own keeps the process alive for 10 s more.
// - Columns of type "char" (oid 18), which the catalogues are full of, are refused by the adapter and wanted as
//   `Character` by the engine. They pass under the oid of uuid, a type the engine never asks for.
// - The engine reports a panic to a global object that Prisma's command line provides; without it the message is lost.
import { PrismaPg } from '@prisma/adapter-pg'
import {
  bindMigrationAwareSqlAdapterFactory,
  ColumnTypeEnum,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
  type SqlQuery,
} from '@prisma/driver-adapter-utils'
import { type DiffTarget, SchemaEngine } from '@prisma/schema-engine-wasm'
import { Pool, type QueryConfig, type QueryResult } from 'pg'

interface SchemaDifference {
  /** SQL that would turn the database into the schema; empty when they agree. */
  sql: string
  /** The same for people. */
  summary: string
}

/** What separates the tables of a database from a Prisma schema (the text of `schema.prisma`). */
export async function diffSchema(schema: string, url: string): Promise<SchemaDifference> {
  Object.assign(globalThis, { PRISMA_WASM_PANIC_REGISTRY: { set_message: throwPanic } })
  const pool = new Pool({ connectionString: url, max: 2 })
  // Its own query, before it is replaced; of the overloads the adapter uses the one that takes a config.
  const query = pool.query.bind(pool) as (config: QueryConfig) => Promise<QueryResult>
  Object.assign(pool, { query: async (config: QueryConfig) => maskCharOid(await query(config)) })
  const files = [{ path: 'schema.prisma', content: schema }]
  const engine = await SchemaEngine.new(
    { datamodels: files.map(({ path, content }) => [path, content]) },
    () => {},
    bindMigrationAwareSqlAdapterFactory(createAdapterFactory(pool)),
  )
  try {
    const from: DiffTarget = { tag: 'schemaDatasource', files, configDir: '.' }
    const to: DiffTarget = { tag: 'schemaDatamodel', files }
    const options = { from, to, exitCode: true, filters: { externalTables: [], externalEnums: [] } }
    const script = await engine.diff({ ...options, script: true })
    const summary = await engine.diff({ ...options, script: false })
    const differs = script.exitCode === 2
    return differs ? { sql: script.stdout ?? '', summary: (summary.stdout ?? '').trim() } : { sql: '', summary: '' }
  } finally {
    engine.free()
    await pool.end()
  }
}

function createAdapterFactory(pool: Pool): SqlMigrationAwareDriverAdapterFactory {
  const stock = new PrismaPg(pool)
  return {
    provider: 'postgres',
    adapterName: stock.adapterName,
    connect: async () => restoreCharType(await stock.connect()),
    connectToShadowDb: () => Promise.reject(new Error('the schema engine needs no shadow database here')),
  }
}

const [charOid, uuidOid] = [18, 2950]

function maskCharOid(result: QueryResult): QueryResult {
  for (const field of result.fields) if (field.dataTypeID === charOid) field.dataTypeID = uuidOid
  return result
}

function restoreCharType(adapter: SqlDriverAdapter): SqlDriverAdapter {
  const queryRaw = adapter.queryRaw.bind(adapter)
  const revealed = async (query: SqlQuery) => {
    const result = await queryRaw(query)
    const columnTypes = result.columnTypes.map((type) =>
      type === ColumnTypeEnum.Uuid ? ColumnTypeEnum.Character : type,
    )
    return { ...result, columnTypes }
  }
  return Object.assign(adapter, { queryRaw: revealed })
}

function throwPanic(message: string): never {
  throw new Error(`the schema engine panicked: ${message}`)
}
