import { system } from '@wp/contracts'
import type { InternalCalls } from '@wp/service'
import { z } from 'zod'
import { defineTool } from './define-tool.ts'

const input = z.strictObject({
  name: z
    .string()
    .regex(/^[A-Z][A-Z0-9_]{0,63}$/, 'must be 1 to 64 of A-Z, 0-9 and _, beginning with a letter')
    .meta({ examples: ['REPORT_CURRENCY'] }),
})

export const readVariable = (internal: InternalCalls) =>
  defineTool({
    name: 'read_variable',
    description: 'Reads a variable of the workspace by its name. The values of secret variables are never returned.',
    input,
    requiredScopes: ['workspace:read'],
    async run(params, call) {
      const { name, value, secret } = await internal.call(system.getVariable, call.caller, { params })
      return { output: secret ? { name, secret, note: 'The value is secret and cannot be read' } : { name, value } }
    },
  })
