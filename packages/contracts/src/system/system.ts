import { z } from 'zod'
import { declareEndpoints } from '../core/endpoint/endpoint.ts'
import { listQuery, searchFilter, text, timestamp } from '../core/shape/shape.ts'

const variableName = z
  .string()
  .regex(/^[A-Z][A-Z0-9_]{0,63}$/, 'must have 1 to 64 characters of A-Z, 0-9 and _, and begin with a letter')
  .meta({ description: 'Name of a variable', examples: ['REGION'] })
const variablePath = z.object({ name: variableName })

const Variable = z
  .object({
    name: z.string().describe('Name by which others refer to it'),
    /** Null if the variable is secret. */
    value: z.string().nullable().describe('The value; null if it is secret'),
    secret: z.boolean().describe('True if the value can be used but not read'),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'WorkspaceVariable' })

/** A change of a variable. */
const VariableVersion = z
  .object({
    version: z.number().int().min(1).describe('Number of the change, from 1'),
    action: z.enum(['set', 'deleted']).describe('Whether a value was set or the variable was deleted'),
    value: z.string().nullable().describe('Null if the variable was secret at that time, or was deleted'),
    secret: z.boolean().describe('True if the variable was secret then'),
    changed_by: z.string().nullable().describe('Id of the user, service principal or API key; null if it is not known'),
    changed_at: timestamp().describe('When it was changed'),
  })
  .meta({ id: 'WorkspaceVariableVersion' })

const utf8Length = (value: string) => new TextEncoder().encode(value).length

/** Health of the platform, and workspace variables. */
export const system = declareEndpoints('system', {
  health: {
    method: 'GET',
    path: '/v1/system/health',
    summary: 'Read the health of every service',
    description:
      'Asks each service for its state. `degraded` means that some service or one of its dependencies does not answer. No credential is needed.',
    credentials: 'none',
    limitClass: 'metadata',
    ok: z
      .object({
        status: z
          .enum(['ok', 'degraded'])
          .describe('`degraded` if a service or one of its dependencies does not answer'),
        services: z
          .array(
            z.object({
              name: z.string().describe('Name of the service'),
              /** The cell of the service. */
              shard: z.string().describe('The cell of the service'),
              status: z.enum(['ok', 'down']).describe('`down` if it did not answer, or is not ready'),
              latency_ms: z
                .number()
                .nullable()
                .describe('Time until its answer, in milliseconds; null if it did not answer'),
            }),
          )
          .describe('State of each service, in each cell'),
      })
      .meta({ id: 'SystemHealth' }),
  },
  listVariables: {
    method: 'GET',
    path: '/v1/system/workspace/variables',
    summary: 'List workspace variables; secret values are null',
    description:
      'Variables are named values of the workspace that integrations, agents and workflows can refer to. The value of a secret variable is never returned.',
    scope: 'workspace:read',
    query: listQuery({
      name: variableName.optional(),
      search: searchFilter('the name'),
      secret: z.stringbool().optional().describe('Only secret variables, or only those that can be read'),
    }),
    list: Variable,
    tool: { name: 'list_variables', hints: { readOnly: true } },
  },
  putVariable: {
    method: 'POST',
    path: '/v1/system/workspace/variables',
    summary: 'Create or replace a workspace variable',
    description:
      'Responds with 201 if the name is new and with 200 if the value was replaced. With `secret`, the value is encrypted and can only be used, not read.',
    scope: 'workspace:write',
    body: z.strictObject({
      name: variableName,
      value: text(32_768, 0)
        .refine((value) => utf8Length(value) <= 32_768, 'must be at most 32 KiB')
        .describe('The value, up to 32 KiB in UTF-8'),
      secret: z
        .boolean()
        .optional()
        .describe(
          'True encrypts the value: it can be used, but not read again. By default a new one is not secret, and an existing one stays what it is',
        ),
    }),
    ok: Variable,
    created: Variable,
    location: '/v1/system/workspace/variables/{name}',
    errors: ['quota_exceeded'],
    audit: { action: 'workspace_variable.set', target: 'workspace_variable', field: 'name' },
  },
  getVariable: {
    method: 'GET',
    path: '/v1/system/workspace/variables/{name}',
    summary: 'Read a workspace variable; a secret value is null',
    description: 'Returns the value, or null for a secret one. Its history says who changed it.',
    scope: 'workspace:read',
    callers: ['ai'],
    params: variablePath,
    ok: Variable,
  },
  listVariableVersions: {
    method: 'GET',
    path: '/v1/system/workspace/variables/{name}/history',
    summary: 'List the changes of a workspace variable, newest first',
    description:
      'Also of a deleted variable. The newest 100 changes of a variable are kept, and the newest 5,000 of the workspace.',
    scope: 'workspace:read',
    params: variablePath,
    query: listQuery({}),
    list: VariableVersion,
  },
  deleteVariable: {
    method: 'DELETE',
    path: '/v1/system/workspace/variables/{name}',
    summary: 'Delete a workspace variable',
    description:
      'Whatever refers to the variable fails from then on. Its history remains, with the deletion as the last entry.',
    scope: 'workspace:write',
    params: variablePath,
    deleted: 'name',
    audit: { action: 'workspace_variable.deleted', target: 'workspace_variable', field: 'name' },
  },
})
