import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { credentialOf, type McpFleet, startMcpFleet } from './fixture/mcp-fleet.ts'
import { createSource, csv, upload } from './fixture/samples.ts'

const inspector = join(
  import.meta.dirname,
  '../node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js',
)

let mcp: McpFleet
let credentials: Record<string, string>
beforeAll(async () => {
  mcp = await startMcpFleet()
  await upload(mcp.context, await createSource(mcp.context), csv, 'text/csv')
  credentials = { token: mcp.context.owner.principal, key: mcp.fleet.owner.apiKey }
})
afterAll(() => mcp?.stop())

/** Runs the command-line client and returns what it prints. */
async function inspect(as: string, ...options: string[]) {
  const headers = Object.entries(credentialOf(as)).flatMap(([name, value]) => ['--header', `${name}: ${value}`])
  const args = [inspector, '--cli', mcp.url.href, '--transport', 'http', ...headers, ...options]
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 10_000_000 })
  return JSON.parse(stdout)
}

describe.each(['token', 'key'])('the Inspector with a %s', (kind) => {
  it('lists the tools', async () => {
    const { tools } = await inspect(credentials[kind] ?? '', '--method', 'tools/list')
    expect(tools).toContainEqual(expect.objectContaining({ name: 'search_records' }))
  })

  it('calls a tool', async () => {
    const options = ['--method', 'tools/call', '--tool-name', 'search_records', '--tool-arg', 'query=north']
    const { structuredContent } = await inspect(credentials[kind] ?? '', ...options)
    expect(structuredContent).toMatchObject({ data: [{ key: '1', snippet: expect.stringContaining('north') }] })
  })
})
