import type { AccessFixtures } from '@wp/testkit'

export const accessFixtures: AccessFixtures = {
  'mcp.message': {
    request: {
      body: { jsonrpc: '2.0', id: 1, method: 'ping' },
      headers: { accept: 'application/json, text/event-stream' },
    },
    withoutIdempotencyKey: 'a message of a protocol of its own, which has no such key',
  },
}
