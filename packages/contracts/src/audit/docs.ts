import { z } from 'zod'
import { declareEndpoints } from '../core/endpoint/endpoint.ts'
import { id } from '../core/shape/id.ts'
import { jobFields, jobStates, listQuery, text, timestamp } from '../core/shape/shape.ts'
import { checkTimeRange, timeInput } from '../core/shape/time-input.ts'
import { auditOutcomes } from './shapes.ts'

/** The formats of compliance exports. */
export const auditDocFormats = ['csv', 'jsonl', 'ocsf'] as const

/** Restricts an export to records that match every given field. */
export const AuditDocFilters = z
  .strictObject({
    actor: text(200).optional().describe('Identifier of the actor'),
    action: text(100).optional().describe('Only records of this action, for example `data_source.created`'),
    target: text(200).optional().describe('Identifier of a target'),
    outcome: z.enum(auditOutcomes).optional().describe('Only records with this outcome'),
  })
  .meta({ id: 'AuditDocFilters' })

const format = () =>
  z
    .enum(auditDocFormats)
    .describe(
      '`csv`: RFC 4180 with a header row; a cell that a spreadsheet would take for a formula begins with an apostrophe. `jsonl`: one `AuditRecord` a line. `ocsf`: one OCSF 1.3.0 event of the class API Activity (6003) a line.',
    )

export const NewAuditDoc = z
  .strictObject({
    format: format(),
    from: timeInput().describe('Occurred at this time or later'),
    to: timeInput().describe('Occurred before this time'),
    filters: AuditDocFilters.default({}),
  })
  .superRefine(checkTimeRange)
  .meta({ id: 'NewAuditDoc' })

const position = () => z.number().int().nullable()
const digest = () => z.string().nullable()

export const AuditDoc = z
  .object({
    id: id('doc'),
    format: format(),
    from: timestamp().describe('Start of the exported time'),
    to: timestamp().describe('End of the exported time, not included'),
    filters: AuditDocFilters,
    record_count: z.number().int().nullable().describe('Null, as the fields below, until it is finished'),
    bytes: z.number().int().nullable().describe('Length of the content'),
    sha256: digest().describe('SHA-256 of the content, hexadecimal'),
    first_seq: position().describe('Position of the first record; null if there is none'),
    last_seq: position().describe('Position of the last record; null if there is none'),
    first_hash: digest().describe('Hash of the first record in its chain; null if there is none'),
    last_hash: digest().describe('Hash of the last record in its chain; null if there is none'),
    expires_at: timestamp().nullable().describe('Time from which the content can no longer be read'),
    ...jobFields,
  })
  .meta({ id: 'AuditDoc' })

const docPath = z.object({ id: id('doc') })

/** Compliance exports: files with the audit records of a time range. */
export const auditDocs = declareEndpoints('audit', {
  listDocs: {
    method: 'GET',
    path: '/v1/audit/docs',
    summary: 'List compliance exports, newest first',
    description: 'Lists the exports of the workspace with their format, range and status.',
    scope: 'audit:export',
    query: listQuery({ status: z.enum(jobStates).optional() }),
    list: AuditDoc,
  },
  startDoc: {
    method: 'POST',
    path: '/v1/audit/docs',
    summary: 'Start a compliance export of the audit log',
    description:
      'Exports the records that occurred at `from` or later and before `to`, in the order of the chain. Records appended after the start of the export are not in it. The same records give the same content.',
    scope: 'audit:export',
    body: NewAuditDoc,
    accepted: AuditDoc,
    location: '/v1/audit/docs/{id}',
    errors: ['quota_exceeded'],
    audit: { action: 'audit_doc.started', target: 'audit_doc', field: 'id' },
  },
  getDoc: {
    method: 'GET',
    path: '/v1/audit/docs/{id}',
    summary: 'Read a compliance export, without its content',
    description: 'Poll it until `status` is `finished`, then read the content. `sha256` is the hash of the content.',
    scope: 'audit:export',
    params: docPath,
    ok: AuditDoc,
  },
  getDocContent: {
    method: 'GET',
    path: '/v1/audit/docs/{id}/content',
    summary: 'Download the content of a finished compliance export',
    description: 'Each download is in the audit log. The entity tag is the SHA-256 of the content.',
    scope: 'audit:export',
    params: docPath,
    response: 'file',
    fileTypes: ['text/csv', 'application/x-ndjson'],
    errors: ['conflict', 'content_deleted'],
    audit: { action: 'audit_doc.downloaded', target: 'audit_doc', field: 'id' },
  },
  cancelDoc: {
    method: 'POST',
    path: '/v1/audit/docs/{id}/cancel',
    summary: 'Cancel a compliance export that has not ended',
    description: 'An export that has ended cannot be cancelled.',
    scope: 'audit:export',
    params: docPath,
    ok: AuditDoc,
    errors: ['conflict'],
    audit: { action: 'audit_doc.cancelled', target: 'audit_doc', field: 'id' },
  },
})

export type AuditDocFormat = (typeof auditDocFormats)[number]
