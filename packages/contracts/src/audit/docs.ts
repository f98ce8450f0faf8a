import { z } from 'zod'
import { declareEndpoints } from '../core/endpoint/endpoint.ts'
import { id } from '../core/shape/id.ts'
import { jobStates, listQuery } from '../core/shape/shape.ts'
import { AuditDoc, NewAuditDoc } from './doc-shapes.ts'

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
