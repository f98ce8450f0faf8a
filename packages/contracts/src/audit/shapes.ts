import { z } from 'zod'
import { id } from '../core/shape/id.ts'
import { timestamp } from '../core/shape/shape.ts'

export const auditOutcomes = ['success', 'denied', 'failure'] as const

const digest = () => z.string().describe('SHA-256, hexadecimal')

export const AuditRecord = z
  .object({
    id: id('log'),
    seq: z.number().int().describe('The position in the chain of the workspace, from 1, without gaps'),
    action: z.string().describe('What was done, such as `data_source.created`'),
    occurred_at: timestamp().describe('When it was done'),
    actor: z
      .object({
        id: z.string().describe('The user, service principal or API key'),
        type: z.string().describe('Kind of the actor, such as `user`'),
        name: z.string().optional().describe('Name of the actor at that time; absent if it is not known or was erased'),
        client_id: z.string().optional().describe('The application that acted for the user'),
        session_id: z.string().optional().describe('The session of the user'),
      })
      .describe('Who did it'),
    targets: z
      .array(
        z.object({
          type: z.string().describe('Kind of the resource'),
          id: z.string().describe('Identifier of the resource'),
        }),
      )
      .describe('What it was done to'),
    context: z
      .object({
        ip: z.string().nullable().describe('Address from which the request came'),
        user_agent: z.string().nullable().describe('Program that sent the request, as it names itself'),
        request_id: z.string().describe('The `x-request-id` of the request'),
      })
      .describe('Address and user agent are null if they are unknown or were erased'),
    outcome: z.enum(auditOutcomes).describe('`success`, `denied` for lack of a right, or `failure` for another reason'),
    changes: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('Details of the change, which differ by action; null without any'),
    prev_hash: digest(),
    hash: digest(),
  })
  .meta({ id: 'AuditRecord' })

/** The kinds of problems of a chain. */
export const chainProblems = ['altered', 'missing', 'inserted', 'unlinked'] as const

export const ChainProblem = z
  .object({
    seq: z.number().int().describe('Position in the chain'),
    id: z.string().nullable().describe('Null if there is no record'),
    kind: z
      .enum(chainProblems)
      .describe(
        'altered: differs from the recorded content; missing: was recorded, but does not exist; inserted: was never recorded; unlinked: cannot be confirmed, because a neighbouring record was altered',
      ),
    detail: z.string().describe('The problem in words'),
  })
  .meta({ id: 'AuditChainProblem' })

/** The place up to which records were cut after their retention. */
export const AuditAnchor = z
  .object({
    seq: z.number().int().describe('The position of the last record that was cut'),
    hash: digest().describe('The hash of that record (SHA-256, hexadecimal): the previous hash of the next one'),
    cut_at: timestamp().describe('When the older records were cut'),
  })
  .meta({ id: 'AuditAnchor' })

const signedHeadStatuses = ['confirmed', 'contradicted', 'cut', 'not_checked'] as const

export const AuditHead = z
  .object({
    workspace_id: z.string().describe('The workspace whose chain it is'),
    seq: z.number().int().describe('The position of the last record; 0 if there is none'),
    hash: digest(),
    signed_at: timestamp().describe('When it was signed'),
    token: z
      .string()
      .describe(
        'The other fields as a JWT, signed with ES256; `typ` is `audit-head+jwt`. Keep it outside the platform, and give it to the verification later',
      ),
  })
  .meta({ id: 'AuditHead' })

export const AuditVerification = z
  .object({
    status: z.enum(['ok', 'broken']).describe('`broken` if a problem was found'),
    checked: z.number().int().describe('Records that were verified'),
    first_seq: z.number().int().nullable().describe('Position of the first verified record; null if none was verified'),
    last_seq: z.number().int().nullable().describe('Position of the last verified record; null if none was verified'),
    next_to_seq: z
      .number()
      .int()
      .nullable()
      .describe(
        'Null if the requested part was verified to its beginning. Otherwise the limit of 150,000 records was reached, and the same request with this `to_seq` verifies the rest',
      ),
    head_hash: digest().nullable(),
    anchor: AuditAnchor.nullable().describe(
      'Where the chain begins if older records were cut after their retention; null if it is complete',
    ),
    signed_head: z
      .object({
        seq: z.number().int().describe('Position of the signed head'),
        hash: digest(),
        signed_at: timestamp().describe('When it was signed'),
        status: z
          .enum(signedHeadStatuses)
          .describe(
            'confirmed: the record at its position has its hash; contradicted: it has not, so records up to it were changed afterwards; cut: the record was cut; not_checked: it is outside the verified part',
          ),
      })
      .optional()
      .describe('The result for the head given in `head`'),
    erased: z.number().int().describe('Records whose personal data was erased, which does not break the chain'),
    problem_count: z.number().int().describe('Number of all problems'),
    problems: z.array(ChainProblem).describe('At most 100, nearest to the end of the chain'),
  })
  .meta({ id: 'AuditVerification' })
