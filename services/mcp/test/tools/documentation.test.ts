import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import { createToolCatalog } from '../../src/tools/tool-catalog.ts'

it('docs/mcp.md lists every tool with its endpoint and scope', async () => {
  const text = await readFile(join(import.meta.dirname, '../../../../docs/mcp.md'), 'utf8')
  const rows = text.split('\n').filter((line) => /^\| `[a-z_]+` \| (GET|POST) /.test(line))
  const tools = [...createToolCatalog()].map(
    ([
      name,
      {
        definition: { method, path, scope },
      },
    ]) => `| \`${name}\` | ${method} \`${path}\` | \`${scope}\` |`,
  )
  expect(rows).toEqual(tools)
})
