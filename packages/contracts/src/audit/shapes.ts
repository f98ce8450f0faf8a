import { z } from 'zod'
import { id } from '../core/id.ts'
import { timestamp } from '../core/shape.ts'

export const auditOutcomes = ['success', 'denied', 'failure'] as const

const digest = () => z.string().meta({ description: 'SHA-256, hexadecimal' })

export const AuditRecord = z
  .object({
    id: id('log'),
    seq: z.number().int().meta({ description: 'The place in the chain of the workspace, from 1, without gaps' }),
    action: z.string(),
    occurred_at: timestamp(),
    actor: z.object({ id: z.string(), type: z.string(), name: z.string().optional() }),
    targets: z.array(z.object({ type: z.string(), id: z.string() })),
    context: z
      .object({ ip: z.string().nullable(), user_agent: z.string().nullable(), request_id: z.string() })
      .meta({ description: 'Address and agent are null where they were not known, or were erased' }),
    outcome: z.enum(auditOutcomes),
    changes: z.record(z.string(), z.unknown()).nullable(),
    prev_hash: digest(),
    hash: digest(),
  })
  .meta({ id: 'AuditRecord' })

/** What can be wrong with a chain. */
export const chainProblems = ['altered', 'missing', 'inserted', 'unlinked'] as const

export const ChainProblem = z
  .object({
    seq: z.number().int(),
    id: z.string().nullable().meta({ description: 'Null where there is no record' }),
    kind: z.enum(chainProblems).meta({
      description:
        'altered: not what was recorded; missing: recorded, but gone; inserted: never recorded; unlinked: what should confirm it was altered, too',
    }),
    detail: z.string(),
  })
  .meta({ id: 'AuditChainProblem' })

export const AuditVerification = z
  .object({
    status: z.enum(['ok', 'broken']),
    checked: z.number().int(),
    first_seq: z.number().int().nullable(),
    last_seq: z.number().int().nullable(),
    head_hash: digest().nullable(),
    erased: z.number().int().meta({ description: 'Records whose personal data was erased, which breaks nothing' }),
    problem_count: z.number().int(),
    problems: z.array(ChainProblem).meta({ description: 'At most 100, those nearest to the end of the chain' }),
  })
  .meta({ id: 'AuditVerification' })
