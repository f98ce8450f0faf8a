import { describe, expect, it } from '@jest/globals'
import type { Scope } from '@wp/contracts'
import { redactChunk } from '../../src/runs/redact-run.ts'

const withData: { scopes: Scope[] } = { scopes: ['agents:read', 'data:read'] }
const withoutData: { scopes: Scope[] } = { scopes: ['agents:read'] }

describe('the error of a tool', () => {
  it.each([
    ['The tool reports an error: {"content":["salary 5000"]}', 'The tool reports an error'],
    ['The MCP server failed: MCP error -32000: salary 5000', 'The MCP server failed'],
    [
      'The caller of this run does not have the scope data:read',
      'The caller of this run does not have the scope data:read',
    ],
    ['This tool does not exist', 'This tool does not exist'],
  ])('has no reported details when the reader has no data:read: %s', (errorText, shown) => {
    const chunk = { type: 'tool-output-error' as const, toolCallId: 'call_1_1', errorText, dynamic: true }
    expect(redactChunk(chunk, withoutData)).toEqual({ ...chunk, errorText: shown })
    expect(redactChunk(chunk, withData)).toBe(chunk)
  })
})

describe('the metadata of a stream', () => {
  it('keeps its other members when parts are left out', () => {
    const chunk = { type: 'finish' as const, messageMetadata: { run_id: 'run_1' } }
    expect(redactChunk(chunk, withoutData)).toEqual({
      type: 'finish',
      messageMetadata: { run_id: 'run_1', redacted: ['tool_output', 'citations'] },
    })
  })
})
