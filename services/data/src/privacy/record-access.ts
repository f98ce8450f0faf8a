import {
  authInternal,
  type BadRow,
  invalidField,
  problem,
  type RecordAccess,
  type RequestCaller,
  type SourceConfig,
  type WorkspaceCaller,
} from '@wp/contracts'
import type { InternalCalls } from '@wp/service'
import { protectsColumns } from './row-protection.ts'

interface Access {
  recordAccess: RecordAccess
}

/** Asserts that readers get the records of a source. @throws Problem `records_restricted` */
export function assertReadable({ recordAccess }: Access): void {
  if (recordAccess === 'aggregates') throw problem('records_restricted')
}

/** Asserts that no model gets the texts of restricted records. @throws Problem `validation_failed` */
export function assertNotEmbedded({ recordAccess, embed }: Access & { embed: boolean }): void {
  if (recordAccess === 'aggregates' && embed)
    throw invalidField('/embed', 'must be false: the records are restricted to aggregates')
}

/**
 * Asserts that the access to records may change: from `full` to `aggregates`, by an owner.
 * @throws Problem `conflict`, `owner_required`; `service_unavailable` if the auth service cannot be reached
 */
export async function assertAccessChange(
  internal: InternalCalls,
  caller: RequestCaller<WorkspaceCaller>,
  before: Access,
  asked: RecordAccess | undefined,
): Promise<void> {
  if (asked === undefined || asked === before.recordAccess) return
  assertNotReopened(before, asked)
  const { is_owner: isOwner } = await internal.callForCaller(caller, 'data:write', authInternal.readOwnership, {})
  if (!isOwner)
    throw problem('owner_required', {
      detail: 'Only an owner of the workspace, signed in as a user, can change `record_access`',
    })
}

/** @throws Problem `conflict` if restricted records would be shown again */
export function assertNotReopened({ recordAccess }: Access, asked: RecordAccess | undefined): void {
  if (recordAccess === 'aggregates' && asked === 'full')
    throw problem('conflict', {
      detail:
        'Records that are restricted to aggregates are never shown again. Create another data source for records that may be read',
    })
}

/** Returns true if refused rows of a source are shown without their values, also those refused before its change. */
export const hidesRefusedValues = ({ recordAccess, config }: Access & { config: SourceConfig }): boolean =>
  recordAccess === 'aggregates' || protectsColumns(config)

/** Returns a refused row without its value, which the reason quotes. */
export function withoutValue({ value, reason, ...row }: BadRow): BadRow {
  if (value === undefined) return { ...row, reason }
  const { column } = row
  return {
    ...row,
    reason: column === undefined ? 'has a value that cannot be read' : `column "${column}": its value cannot be read`,
  }
}
