import { z } from 'zod'
import { id } from '../core/shape/id.ts'
import { timestamp } from '../core/shape/shape.ts'

export const auditOutcomes = ['success', 'denied', 'failure'] as const

const digest = () => z.string().meta({ description: 'SHA-256, hexadecimal' })

export const AuditRecord = z
  .object({
    id: id('log'),
    seq: z.number().int().meta({ description: 'The position in the chain of the workspace, from 1, without gaps' }),
    action: z.string(),
    occurred_at: timestamp(),
    actor: z.object({
      id: z.string(),
      type: z.string(),
      name: z.string().optional(),
      client_id: z.string().optional().meta({ description: 'The application that acted for the user' }),
      session_id: z.string().optional().meta({ description: 'The session of the user' }),
    }),
    targets: z.array(z.object({ type: z.string(), id: z.string() })),
    context: z
      .object({ ip: z.string().nullable(), user_agent: z.string().nullable(), request_id: z.string() })
      .meta({ description: 'Address and user agent are null if they are unknown or were erased' }),
    outcome: z.enum(auditOutcomes),
    changes: z.record(z.string(), z.unknown()).nullable(),
    prev_hash: digest(),
    hash: digest(),
  })
  .meta({ id: 'AuditRecord' })

/** The kinds of problems of a chain. */
export const chainProblems = ['altered', 'missing', 'inserted', 'unlinked'] as const

export const ChainProblem = z
  .object({
    seq: z.number().int(),
    id: z.string().nullable().meta({ description: 'Null if there is no record' }),
    kind: z.enum(chainProblems).meta({
      description:
        'altered: differs from the recorded content; missing: was recorded, but does not exist; inserted: was never recorded; unlinked: cannot be confirmed, because a neighbouring record was altered',
    }),
    detail: z.string(),
  })
  .meta({ id: 'AuditChainProblem' })

/** The place up to which records were cut after their retention. */
export const AuditAnchor = z
  .object({
    seq: z.number().int().meta({ description: 'The position of the last record that was cut' }),
    hash: digest().meta({
      description: 'The hash of that record (SHA-256, hexadecimal): the previous hash of the next one',
    }),
    cut_at: timestamp(),
  })
  .meta({ id: 'AuditAnchor' })

const signedHeadStatuses = ['confirmed', 'contradicted', 'cut', 'not_checked'] as const

export const AuditHead = z
  .object({
    workspace_id: z.string(),
    seq: z.number().int().meta({ description: 'The position of the last record; 0 if there is none' }),
    hash: digest(),
    signed_at: timestamp(),
    token: z.string().meta({
      description:
        'The other fields as a JWT, signed with ES256; `typ` is `audit-head+jwt`. Keep it outside the platform, and give it to the verification later',
    }),
  })
  .meta({ id: 'AuditHead' })

export const AuditVerification = z
  .object({
    status: z.enum(['ok', 'broken']),
    checked: z.number().int(),
    first_seq: z.number().int().nullable(),
    last_seq: z.number().int().nullable(),
    next_to_seq: z.number().int().nullable().meta({
      description:
        'Null if the requested part was verified to its beginning. Otherwise the limit of 150,000 records was reached, and the same request with this `to_seq` verifies the rest',
    }),
    head_hash: digest().nullable(),
    anchor: AuditAnchor.nullable().meta({
      description: 'Where the chain begins if older records were cut after their retention; null if it is complete',
    }),
    signed_head: z
      .object({
        seq: z.number().int(),
        hash: digest(),
        signed_at: timestamp(),
        status: z.enum(signedHeadStatuses).meta({
          description:
            'confirmed: the record at its position has its hash; contradicted: it has not, so records up to it were changed afterwards; cut: the record was cut; not_checked: it is outside the verified part',
        }),
      })
      .optional()
      .meta({ description: 'The result for the head given in `head`' }),
    erased: z
      .number()
      .int()
      .meta({ description: 'Records whose personal data was erased, which does not break the chain' }),
    problem_count: z.number().int(),
    problems: z.array(ChainProblem).meta({ description: 'At most 100, nearest to the end of the chain' }),
  })
  .meta({ id: 'AuditVerification' })
