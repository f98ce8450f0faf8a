import { z } from 'zod'
import { principalTypes } from '../core/endpoint/caller.ts'
import { declareEndpoints, endpoint } from '../core/endpoint/endpoint.ts'
import { boundedArray } from '../core/shape/bounded.ts'
import { id } from '../core/shape/id.ts'
import { listQuery, text, timestamp } from '../core/shape/shape.ts'
import { checkTimeRange, timeInput } from '../core/shape/time-input.ts'

/** Classes of statuses. */
export const statusClasses = ['2xx', '4xx', '5xx'] as const

/** Days for which requests, and for which their daily counts are kept. */
export const requestRetentionDays = 7
export const requestUsageDays = 30

const principal = z.object({
  id: z.string().describe('Identifier of the principal'),
  type: z.enum(principalTypes).describe('Kind of the principal'),
})
const credential = () => z.string().describe('An API key, a service principal, or the session of a user')

export const LoggedRequest = z
  .object({
    id: id('req'),
    request_id: z.string().describe('The `x-request-id` of the response'),
    occurred_at: timestamp().describe('When the request arrived'),
    method: z.string().describe('Method of the request'),
    path: z.string().describe('The path as the API documents it, with the names of its parameters'),
    endpoint: z.string().describe('The operation id'),
    status: z.number().int().describe('Status of the response'),
    code: z.string().nullable().describe('Code of the error if the edge refused the request; else null'),
    duration_ms: z.number().int().describe('Time until the response, in milliseconds'),
    principal: principal.describe('Who sent the request'),
    credential_id: credential(),
  })
  .meta({ id: 'LoggedRequest' })

export const RequestUsageDay = z
  .object({
    date: z.iso.date().describe('UTC'),
    credential_id: credential(),
    principal: principal.describe('Who the credential belongs to'),
    requests: z.number().int().describe('All requests, also those that the log does not list'),
    client_errors: z.number().int().describe('Statuses from 400 to 499'),
    server_errors: z.number().int().describe('Statuses from 500'),
    last_used_at: timestamp().describe('Time of the last request of the day'),
  })
  .meta({ id: 'RequestUsageDay' })

/** The recent API requests of a workspace. */
export const auditRequests = declareEndpoints('audit', {
  listRequests: {
    method: 'GET',
    path: '/v1/audit/requests',
    summary: 'List recent API requests, newest first',
    description: `Who called which endpoint, with the status and the duration. Queries, bodies and headers are never recorded. The log is a sample with a limit for each workspace: under load some requests are missing, and it holds the newest 10,000 of programs and of users, for ${requestRetentionDays} days. Counts of all requests: \`GET /v1/audit/requests/usage\`. A request appears a few seconds after its response.`,
    scope: 'audit:read',
    query: listQuery({
      principal: text(100).optional().describe('Identifier of the principal'),
      credential: text(100).optional().describe('Identifier of the credential'),
      callers: z
        .enum(['programs', 'users'])
        .optional()
        .describe('Requests of programs (API keys and service principals) only, or those of users, as of the console'),
      method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).optional().describe('Method of the endpoint'),
      status: z
        .union([
          z.enum(statusClasses),
          z.string().regex(/^[1-5]\d\d$/, 'must be a status such as 404, or a class such as 4xx'),
        ])
        .optional()
        .describe('A status, or a class of them'),
      q: text(200).optional().describe('Contained in the path, the operation id or the request id'),
      since: timeInput().optional().describe('Occurred at this time or later'),
      until: timeInput().optional().describe('Occurred before this time'),
    }).superRefine(checkTimeRange),
    list: LoggedRequest,
  },
  listRequestUsage: {
    method: 'GET',
    path: '/v1/audit/requests/usage',
    summary: 'Count the API requests of each credential by day, newest first',
    description: `The last ${requestUsageDays} days (UTC), with the last use of each credential on that day. The requests of the last seconds, and those of an edge that was killed, are missing.`,
    scope: 'audit:read',
    query: listQuery({
      principal: text(100).optional().describe('Identifier of the principal'),
      credential: text(100).optional().describe('Identifier of the credential'),
    }),
    list: RequestUsageDay,
  },
})

/** Limits of one call of the edge, which bound its body. */
export const maxReportedRequests = 500

const subject = {
  workspace_id: id('ws'),
  principal_id: z.string().max(100),
  principal_type: z.enum(principalTypes),
  credential_id: z.string().max(100),
}

/** Requests that the edge has answered, and counts of all of them. */
export const RequestReport = z.strictObject({
  requests: boundedArray(
    z.strictObject({
      ...subject,
      request_id: z.string().max(128),
      occurred_at: timestamp(),
      endpoint: z.string().max(100),
      status: z.number().int().min(100).max(599),
      code: z.string().max(100).nullable(),
      duration_ms: z.number().int().min(0),
    }),
    maxReportedRequests,
  ),
  counts: boundedArray(
    z.strictObject({
      ...subject,
      date: z.iso.date(),
      requests: z.number().int().min(1),
      client_errors: z.number().int().min(0),
      server_errors: z.number().int().min(0),
      last_used_at: timestamp(),
    }),
    maxReportedRequests,
  ),
})
export type RequestReport = z.infer<typeof RequestReport>

/** Receives the requests of the edge. */
export const recordRequests = endpoint({
  id: 'audit.recordRequests',
  method: 'POST',
  path: '/internal/audit/requests',
  summary: 'Store requests that the edge has answered',
  audience: 'internal',
  workspace: 'none',
  allowsSystemCalls: true,
  callers: ['gateway'],
  body: RequestReport,
  ok: z.object({ stored: z.number().int() }),
})
