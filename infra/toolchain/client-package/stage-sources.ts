import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createEndpointTable } from '@wp/client'
import { declareClient, declareTypes } from './declare-client.ts'

const root = join(import.meta.dirname, '../../..')

/**
 * Writes the sources of the package: those of the client, with the modules that import the contracts replaced by
 * generated ones, so that nothing refers to the contracts or to zod.
 */
export function stageSources(folder: string): void {
  mkdirSync(folder, { recursive: true })
  const skipped = /create-endpoint-table\.ts$|\/src\/index\.ts$|\/src\/contracts\/./
  cpSync(join(root, 'packages/client/src'), folder, { recursive: true, filter: (path) => !skipped.test(path) })
  cpSync(join(root, 'packages/contracts/src/core/shape/query.ts'), join(folder, 'contracts/query.ts'))
  const table = createEndpointTable()
  const lines = table.map((entry) => `  ${JSON.stringify(entry)},`).join('\n')
  const generated = {
    'types.ts': declareTypes(),
    'client-type.ts': declareClient(table),
    'endpoints.ts': `import type { EndpointTable } from '../endpoint-table.ts'\n\n/** The endpoints of the platform. */\nexport const endpoints: EndpointTable = [\n${lines}\n]\n`,
  }
  for (const [name, text] of Object.entries(generated)) writeFileSync(join(folder, 'contracts', name), text)
}
