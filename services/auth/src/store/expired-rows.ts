import type { RetentionRule } from '@wp/jobs/background'

/** Rows are kept until they can no longer affect a response. Each column has an index. */
export const expiryRules: readonly RetentionRule[] = [
  rule('counters', { column: 'ends_at' }),
  rule('revoked_tokens'),
  rule('logins', { period: '1 hour' }),
  rule('login_codes', { period: '1 hour' }),
  rule('saml_assertions'),
  rule('used_passkey_challenges', { period: '1 hour' }),
  // An hour in which a second use of a code is detected.
  rule('authorization_codes', { period: '1 hour' }),
  // Kept for a week, to tell an expired token from an unknown one.
  rule('refresh_tokens', { period: '7 days' }),
  // An ended session stays until its expiry, so that a replay of its tokens is detected.
  rule('sessions', { period: '7 days' }),
  // Kept for a week, to tell an expired link from an unknown one.
  rule('api_keys', { period: '7 days', condition: 'portal_link_id IS NOT NULL' }),
  // An edge that missed more discards its cache. The last change stays, because the numbers continue from it.
  rule('identity_changes', {
    column: 'recorded_at',
    period: '1 hour',
    condition: 'number < (SELECT max(number) FROM identity_changes)',
  }),
]

function rule(table: string, differing: Partial<RetentionRule> = {}): RetentionRule {
  const metric = { name: 'auth_removed_total', labels: { table } }
  return { table, column: 'expires_at', batchRows: 1_000, metric, ...differing }
}
