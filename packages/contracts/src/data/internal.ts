import { z } from 'zod'
import { endpoint } from '../core/endpoint/endpoint.ts'
import { quotaUsageEndpoint } from '../core/quota/quota-usage.ts'
import { sourcePath } from './source-shapes.ts'

/** Endpoints of data for other services. */
export const dataInternal = {
  readQuotaUsage: quotaUsageEndpoint('data', 'data'),
  readRows: endpoint({
    id: 'data.readRows',
    method: 'GET',
    path: '/internal/data/sources/{data_source_id}/rows',
    summary: 'Read selected fields of every record of a source, in large pages, oldest first',
    description:
      'Values are converted by the schema of the source: text in a number field becomes a number, likewise booleans. Times remain text, except in a field declared with a time zone, where they become instants in UTC. A value that does not match the declared type is returned as it is stored. Null stands for empty text and a missing field alone. A page may be shorter than `limit`: only `after` states whether there is more.',
    audience: 'internal',
    scope: 'data:read',
    callers: ['solutions', 'ai'],
    params: sourcePath,
    query: z.strictObject({
      /** Comma-separated field names, each percent-encoded. */
      fields: z.string().min(1).max(4000),
      /** `after` of the previous page. */
      after: z.string().max(512).optional(),
      limit: z.coerce.number().int().min(1).max(10_000).default(5000),
    }),
    bare: z.object({ rows: z.array(z.array(z.unknown())), after: z.string().nullable() }),
  }),
}
