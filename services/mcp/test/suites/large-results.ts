import { beforeAll, describe, expect, it } from '@jest/globals'
import type { Client } from '@modelcontextprotocol/client'
import { jsonBytes, maxOutputBytes } from '../../src/tools/fit-output.ts'
import type { ToolOutput } from '../../src/tools/output-schema.ts'
import type { McpFleet, McpSuite } from '../fixture/mcp-fleet.ts'
import { createSource, upload } from '../fixture/samples.ts'

let mcp: McpFleet
let client: Client
let sourceId: string

async function call(name: string, given: Record<string, unknown>): Promise<ToolOutput> {
  const { structuredContent, isError, content } = await client.callTool({ name, arguments: given })
  expect({ isError, content: isError === true && content }).toEqual({ isError: undefined, content: false })
  expect(jsonBytes(structuredContent)).toBeLessThanOrEqual(maxOutputBytes)
  return structuredContent as unknown as ToolOutput // the output of every tool
}

const keysOf = ({ data }: ToolOutput) => (data as { key: string }[]).map(({ key }) => key) // records or hits

/** Tests results that are cut. */
export function describeLargeResults(suite: McpSuite): void {
  beforeAll(async () => {
    ;({ mcp } = suite)
    client = await mcp.connect(mcp.context.owner.principal)
    sourceId = await createSource(mcp.context)
    const rows = Array.from({ length: 40 }, (_, key) => ({ key: String(key), text: 'x'.repeat(9_000) }))
    await upload(mcp.context, sourceId, JSON.stringify(rows), 'application/json')
  })

  describe('a list that is too large', () => {
    it.each(['list_records', 'search_records'])(
      'of %s is given in smaller pages that skip no element',
      async (name) => {
        const given =
          name === 'list_records'
            ? { data_source_id: sourceId }
            : { data_source_ids: [sourceId], filters: {}, include: ['data'] }
        const keys: string[] = []
        let cursor: string | null | undefined
        while (cursor !== null) {
          const page = await call(name, { ...given, limit: 30, ...(cursor === undefined ? {} : { cursor }) })
          if (keys.length === 0) expect(page.notice).toContain('continue with `cursor`')
          keys.push(...keysOf(page))
          cursor = page.pagination?.next_cursor ?? null
        }
        expect(keys.toSorted()).toEqual(Array.from({ length: 40 }, (_, key) => String(key)).toSorted())
      },
    )
  })

  describe('a resource that is too large', () => {
    it('is cut, and says so', async () => {
      const large = await createSource(mcp.context)
      const row = { key: 'large', text: `${'ä'.repeat(60_000)}the end`, note: 'short' }
      await upload(mcp.context, large, JSON.stringify([row]), 'application/json')
      const page = await call('list_records', { data_source_id: large })
      expect(page).toMatchObject({ data: [{ data: { note: 'short' } }], notice: expect.stringContaining('were cut') })
      const [record] = page.data as { record_id: string }[] // records
      const output = await call('get_record', { record_id: record?.record_id })
      expect(output.notice).toContain('GET /v1/data/records/{record_id}')
      expect(JSON.stringify(output.data)).not.toContain('the end')
    })
  })
}
