import type { WorkspaceDeletionPolicy } from '@wp/jobs/data-deletion'

const untilRetention = 'the audit log is append-only: its records stay until their retention ends'

/** The part of the audit log in the deletion of a workspace: exports are deleted, the log itself stays. */
export const deletionPolicy: WorkspaceDeletionPolicy = {
  retained: {
    'public.audit_chains': untilRetention,
    'public.audit_records': untilRetention,
    'public.audit_targets': untilRetention,
    'public.audit_personal_data': `${untilRetention}, unless an operator erases the personal data before`,
    'public.audit_anchors': untilRetention,
    'public.audit_retention': untilRetention,
  },
}
