import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import { mcp } from '@wp/contracts'
import { createToolCatalog } from '../../src/tools/tool-catalog.ts'

const document = await readFile(join(import.meta.dirname, '../../../../docs/mcp.md'), 'utf8')

it('docs/mcp.md names one address of the endpoint when it shows how to connect a client', () => {
  const addresses = [...document.matchAll(/https?:\/\/[^\s"`]+\/api\/v1\/mcp\/mcp/g)].map(([address]) => address)
  // That of `npm start`: the resource that its metadata names, which clients compare with the address.
  expect([...new Set(addresses)]).toEqual([`http://127.0.0.1:8080${mcp.message.path}`])
  expect(addresses.length).toBeGreaterThan(3)
})

it('docs/mcp.md starts the Inspector with a Node.js that it supports when the installed one is older', () => {
  expect(document).toMatch(/npx -y -p node@24 -p @modelcontextprotocol\/inspector@2 mcp-inspector --cli /)
})

it('docs/mcp.md lists every tool with its endpoint and scope', async () => {
  const rows = document.split('\n').filter((line) => /^\| `[a-z_]+` \| (GET|POST) /.test(line))
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
