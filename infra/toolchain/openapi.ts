// Generates what is derived from the contracts: docs/openapi.json, so that the API can be read, linted and compared without
// a running fleet, and the endpoint table of the command line, so that it starts without loading the contracts.
// With --check it writes nothing and exits with 1 if a file is out of date.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createEndpointTable } from '@wp/client'
import { openApiDocument } from '@wp/contracts'

const root = join(import.meta.dirname, '../..')
const generated = {
  'docs/openapi.json': openApiDocument('http://localhost:8080', 'v1'),
  'packages/cli/src/endpoint-table.json': createEndpointTable(),
}

for (const [name, value] of Object.entries(generated)) {
  const text = `${JSON.stringify(value, null, 2)}\n`
  if (!process.argv.includes('--check')) writeFileSync(join(root, name), text)
  else if (readFileSync(join(root, name), 'utf8') !== text) {
    process.stderr.write(`${name} is out of date: run npm run openapi\n`)
    process.exitCode = 1
  }
}
