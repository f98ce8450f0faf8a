import { z } from 'zod'
import { principalTypes } from '../core/endpoint/caller.ts'
import { event } from '../core/event.ts'
import { text } from '../core/shape/shape.ts'
import { exampleIds } from './payload.ts'

/** An action for the audit log. `transact` writes it together with the change itself. */
export const auditRecorded = event({
  kind: 'AUDIT_RECORDED',
  producer: 'any',
  summary: 'An action to be recorded in the audit log',
  isSubscribable: false,
  data: z.object({
    action: text(100),
    actor: z.object({
      id: z.string(),
      type: z.enum(principalTypes),
      client_id: z.string().optional(),
      session_id: z.string().optional(),
    }),
    targets: z.array(z.object({ type: z.string(), id: z.string() })),
    context: z.object({ ip: z.string().nullable(), user_agent: z.string().nullable(), request_id: z.string() }),
    outcome: z.enum(['success', 'denied', 'failure']),
    changes: z.record(z.string(), z.unknown()).nullable(),
  }),
  example: {
    action: 'data_source.created',
    actor: { id: 'sp_01h455vb4pex5vsknk084sn02q', type: 'service_principal' },
    targets: [{ type: 'data_source', id: exampleIds.source }],
    context: { ip: '198.51.100.7', user_agent: null, request_id: 'req-4f1c2a90' },
    outcome: 'success',
    changes: null,
  },
})
