import type { RetentionRule } from '@wp/jobs/background'

/** Retention of sessions and sign-ins, until their expiry. */
export const retentionRules: readonly RetentionRule[] = ['sessions', 'pending_sign_ins'].map((table) => ({
  table,
  column: 'expires_at',
  batchRows: 1_000,
}))
