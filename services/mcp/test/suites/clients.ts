import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { findGoMcpClient, findPythonClients } from '@wp/testkit'
import { createToolCatalog } from '../../src/tools/tool-catalog.ts'
import { credentialOf, type McpFleet, type McpSuite } from '../fixture/mcp-fleet.ts'

const inspector = join(
  import.meta.dirname,
  '../../node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js',
)

let mcp: McpFleet

/** Runs the command-line client and returns what it prints. */
async function inspect(as: string, ...options: string[]) {
  const headers = Object.entries(credentialOf(as)).flatMap(([name, value]) => ['--header', `${name}: ${value}`])
  const args = [inspector, '--cli', mcp.url.href, '--transport', 'http', ...headers, ...options]
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 10_000_000 })
  return JSON.parse(stdout)
}

const python = findPythonClients() ?? ''
const script = join(import.meta.dirname, '../fixture/mcp_client.py')
const otherClients = [
  { name: 'mcp for Python', command: python, args: [script, 'mcp'] },
  { name: 'fastmcp for Python', command: python, args: [script, 'fastmcp'] },
  { name: 'the SDK for Go', command: findGoMcpClient() ?? '', args: [] as string[] },
]

/** Tests clients of other makers. */
export function describeClients(suite: McpSuite): void {
  beforeAll(() => {
    ;({ mcp } = suite)
  })

  describe('the Inspector', () => {
    it('lists the tools with a token', async () => {
      const { tools } = await inspect(mcp.context.owner.principal, '--method', 'tools/list')
      expect(tools).toContainEqual(expect.objectContaining({ name: 'search_records' }))
    })

    it('calls a tool with a key', async () => {
      const options = ['--method', 'tools/call', '--tool-name', 'search_records', '--tool-arg', 'query=north']
      const { structuredContent } = await inspect(mcp.fleet.owner.apiKey, ...options)
      expect(structuredContent).toMatchObject({ data: [{ key: '1', snippet: expect.stringContaining('north') }] })
    })
  })

  describe.each(otherClients)('$name', ({ command, args }) => {
    const [test, reason] = command === '' ? [it.skip, ' (skipped: not installed, see npm run clients)'] : [it, '']

    test(`lists tools, calls them in both revisions, and reads what is refused${reason}`, async () => {
      const createKey = async (...scopes: string[]): Promise<string> =>
        (await mcp.context.create('/v1/auth/api-key', { name: 'client', scopes })).api_key ?? ''
      const keys = {
        MCP_KEY: mcp.fleet.owner.apiKey,
        NARROW_KEY: await createKey('mcp:use', 'audit:read'),
        UNSCOPED_KEY: await createKey('data:read'),
      }
      const env = { ...process.env, ...keys, MCP_URL: mcp.url.href }
      const { stdout } = await promisify(execFile)(command, args, { env, maxBuffer: 10_000_000 })
      const refused = (problem: object) => ({ is_error: true, content: expect.objectContaining(problem) })
      expect(JSON.parse(stdout)).toMatchObject({
        server: 'workspace-platform',
        protocol: '2026-07-28',
        tools: [...createToolCatalog().keys()],
        read: { is_error: false, content: { data: [{ key: '1' }] }, structured: { data: [{ key: '1' }] } },
        wrong: refused({ code: 'validation_failed', errors: [{ pointer: '/limit', detail: 'must be a number' }] }),
        unknown: { error: expect.stringContaining('Unknown tool: drop_tables') },
        older: ['2025-11-25', { is_error: false, structured: { data: [{ key: '2' }] } }],
        narrow: [['list_audit_logs'], refused({ code: 'missing_scope', required_scope: 'data:read' })],
        unscoped: expect.stringMatching(/Forbidden|error response/),
      })
    })
  })
}
