import { z } from 'zod'
import { event } from '../core/event.ts'
import { exampleIds, failureFields, payloadExample, payloadFields } from './payload.ts'

/** Kinds about compliance exports of the audit log. */
export const auditDocEvents = {
  AUDIT_DOC_FINISHED: event({
    kind: 'AUDIT_DOC_FINISHED',
    producer: 'audit',
    summary: 'A compliance export is ready to be downloaded',
    isSubscribable: true,
    data: z.object({
      ...payloadFields('finished'),
      format: z.string().describe('Format of the file'),
      record_count: z.number().int().describe('Number of audit records in it'),
      sha256: z.string().describe('SHA-256 of the file, 64 hexadecimal digits'),
    }),
    example: payloadExample(exampleIds.doc, 'finished', {
      format: 'csv',
      record_count: 1250,
      sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    }),
  }),
  AUDIT_DOC_FAILED: event({
    kind: 'AUDIT_DOC_FAILED',
    producer: 'audit',
    summary: 'A compliance export failed',
    isSubscribable: true,
    data: z.object({
      ...payloadFields('failed'),
      format: z.string().describe('Format of the file'),
      ...failureFields,
    }),
    example: payloadExample(exampleIds.doc, 'failed', {
      format: 'csv',
      error: { code: 'export_too_large', message: 'The content exceeds 1073741824 bytes' },
    }),
  }),
} as const
