// Generates what is derived from the contracts: docs/openapi.json, so that the API can be read, linted and compared
// without a running fleet, and the endpoint table of the command line, so that it starts without loading the contracts.
// With --check it writes nothing and exits with 1 if a file is out of date.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createEndpointTable } from '@wp/client'
import { openApiDocument } from '@wp/contracts'

const root = join(import.meta.dirname, '../..')
const generated: Record<string, string> = {
  'docs/openapi.json': stringify(
    openApiDocument('https://api.example.com', 'v1', [
      { url: 'https://api.example.com', description: 'Production' },
      { url: 'https://api.sandbox.example.com', description: 'Sandbox: the same API with data of its own' },
      { url: 'http://127.0.0.1:8080', description: 'A fleet started with `npm start`' },
    ]),
  ),
  'packages/cli/src/endpoint-table.json': `${JSON.stringify(createEndpointTable(), null, 2)}\n`,
}

for (const [name, text] of Object.entries(generated)) {
  if (!process.argv.includes('--check')) writeFileSync(join(root, name), text)
  else if (readFileSync(join(root, name), 'utf8') !== text) {
    process.stderr.write(`${name} is out of date: run npm run openapi\n`)
    process.exitCode = 1
  }
}

/** Returns JSON in which references and lists of scalars take one line each. */
function stringify(value: unknown): string {
  const text = JSON.stringify(value, null, 2)
    .replaceAll(/\{\n\s+("\$ref": "[^"]+")\n\s+\}/g, '{ $1 }')
    .replaceAll(
      /\[\n\s+((?:"[^"\\\n]*"|[\w.-]+)(?:,\n\s+(?:"[^"\\\n]*"|[\w.-]+))*)\n\s+\]/g,
      (_, members: string) => `[${members.replaceAll(/,\n\s+/g, ', ')}]`,
    )
  return `${text}\n`
}
