// Generates docs/openapi.json, so that the API can be read, linted and compared without a running fleet.
// With --check it writes nothing and exits with 1 if the file is out of date.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openApiDocument } from '@wp/contracts'

const file = join(import.meta.dirname, '../../docs/openapi.json')
const text = `${JSON.stringify(openApiDocument('http://localhost:8080', 'v1'), null, 2)}\n`

if (!process.argv.includes('--check')) writeFileSync(file, text)
else if (readFileSync(file, 'utf8') !== text) {
  process.stderr.write('docs/openapi.json is out of date: run npm run openapi\n')
  process.exit(1)
}
