// Stands in for psql in the tests of the runbooks: psql [-d <database>] -c <statement>, on the server of the test.
import { parseArgs } from 'node:util'
import pg from 'pg'

const { values } = parseArgs({
  options: { dbname: { type: 'string', short: 'd' }, command: { type: 'string', short: 'c' } },
})
const url = new URL(process.env.ADMIN_DATABASE_URL ?? '')
url.pathname = `/${values.dbname ?? 'postgres'}`
const client = new pg.Client({ connectionString: url.href })
await client.connect()
const { rows, command, rowCount } = await client.query(values.command ?? '')
process.stdout.write(`${command} ${rowCount}\n${JSON.stringify(rows)}\n`)
await client.end()
