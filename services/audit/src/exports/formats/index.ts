import type { AuditDocFormat } from '@wp/contracts'
import { csv } from './csv.ts'
import type { ExportFormat } from './export-format.ts'
import { jsonl } from './jsonl.ts'
import { ocsf } from './ocsf.ts'

export const formats: Readonly<Record<AuditDocFormat, ExportFormat>> = { csv, jsonl, ocsf }
