// Prisma's schema engine as WebAssembly, with an adapter of our own. It differs from the stock adapter:
//
// - Only `connect` is implemented. The stock `connectToShadowDb` uses the main database when given a connection string,
//   and `executeScript` splits at semicolons, which breaks `$$` bodies. The engine needs neither, because it only
//   inspects a database that our own migrator has filled.
// - The pool is created and ended here: the adapter's own pool keeps the process alive for another 10 s.
// - Columns of type "char" (oid 18), frequent in the system catalogs, are rejected by the adapter, but the engine
//   expects them as `Character`. They are passed through with the oid of uuid, a type the engine never queries.
// - The engine reports a panic to a global object provided by Prisma's command line; without it the message is lost.
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
  /** SQL that brings the database to the schema; empty if there is no difference. */
  sql: string
  /** Readable description of the same difference. */
  summary: string
}

/** Compares the tables of a database with a Prisma schema, given as the text of `schema.prisma`. */
export async function diffSchema(schema: string, url: string): Promise<SchemaDifference> {
  Object.assign(globalThis, { PRISMA_WASM_PANIC_REGISTRY: { set_message: throwPanic } })
  const pool = new Pool({ connectionString: url, max: 2 })
  // The original method, before it is replaced. The adapter only uses the overload that takes a config.
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
    connectToShadowDb: () => Promise.reject(new Error('a shadow database is not supported')),
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
