import { buildCommand } from '@stricli/core'
import { textFlag } from '../../flag-types.ts'
import { outputFlags } from '../../output/flags.ts'

export const api = buildCommand({
  loader: async () => (await import('./call-api.ts')).callApi,
  parameters: {
    flags: {
      data: textFlag('body', 'Body of the request: JSON, @file, or - for standard input'),
      type: textFlag('media-type', 'Content type of the body (default: application/json)'),
      ...outputFlags,
    },
    positional: {
      kind: 'tuple',
      parameters: [
        { parse: String, placeholder: 'method', brief: 'GET, POST, PATCH or DELETE' },
        { parse: String, placeholder: 'path', brief: 'Path with its query, such as /v1/data/sources?limit=5' },
      ],
    },
  },
  docs: {
    brief: 'Send a request to any endpoint',
    fullDescription:
      'Prints the body of the response: JSON as other commands do, anything else as it is. Requests are retried under one idempotency key.',
  },
})
