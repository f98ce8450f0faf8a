import type { Database, Row } from '@wp/database'
import type { SealedStore } from '@wp/service'
import type { Subscription } from '#db'

interface SealedSubscription
  extends Row<Subscription, 'webhookId' | 'secretSealed' | 'previousSecretSealed' | 'authenticationSealed'> {
  headers: Record<string, string>
}

/** Associated data that each sealed value is bound to. */
export interface SealedBindings {
  secret(webhookId: string): string
  header(webhookId: string, name: string): string
  authentication(webhookId: string): string
}

const isSealedWithMark = `(starts_with(secret_sealed, $1) OR starts_with(previous_secret_sealed, $1)
  OR starts_with(authentication_sealed, $1) OR EXISTS (SELECT FROM jsonb_each_text(headers) h WHERE starts_with(h.value, $1)))`

/**
 * The sealed secrets, headers and authentication of the subscriptions of all workspaces, for encryption key rotation.
 */
export const sealedSubscriptions = (
  pool: Database['worker'],
  bindings: SealedBindings,
): SealedStore<SealedSubscription> => ({
  name: 'subscriptions',
  async findSealedWith(mark, after, limit) {
    const { rows } = await pool.query<SealedSubscription>(
      `SELECT webhook_id, secret_sealed, previous_secret_sealed, headers, authentication_sealed FROM subscriptions
       WHERE ${isSealedWithMark} AND webhook_id > $2 ORDER BY webhook_id LIMIT $3`,
      [mark, after?.webhookId ?? '', limit],
    )
    return rows
  },
  sealedValues: (row) => [
    ...secretsOf(row).map((sealed) => ({ sealed, associatedData: bindings.secret(row.webhookId) })),
    ...Object.entries(row.headers).map(([name, sealed]) => ({
      sealed,
      associatedData: bindings.header(row.webhookId, name),
    })),
    ...(row.authenticationSealed === null
      ? []
      : [{ sealed: row.authenticationSealed, associatedData: bindings.authentication(row.webhookId) }]),
  ],
  async updateSealed(row, resealed) {
    const remaining = [...resealed]
    const next = (old: string | null) => (old === null ? null : (remaining.shift() ?? old))
    const secrets = [next(row.secretSealed), next(row.previousSecretSealed)]
    const headers = Object.fromEntries(Object.entries(row.headers).map(([name, old]) => [name, next(old)]))
    const authentication = next(row.authenticationSealed)
    await pool.query(
      `UPDATE subscriptions SET secret_sealed = $6, previous_secret_sealed = $7, headers = $8, authentication_sealed = $9
       WHERE webhook_id = $1 AND secret_sealed IS NOT DISTINCT FROM $2
         AND previous_secret_sealed IS NOT DISTINCT FROM $3 AND headers = $4::jsonb
         AND authentication_sealed IS NOT DISTINCT FROM $5`,
      [
        ...[row.webhookId, row.secretSealed, row.previousSecretSealed, JSON.stringify(row.headers)],
        ...[row.authenticationSealed, ...secrets, JSON.stringify(headers), authentication],
      ],
    )
  },
  async countSealedWith(mark) {
    const text = `SELECT count(*)::int AS count FROM subscriptions WHERE ${isSealedWithMark}`
    const { rows } = await pool.query<{ count: number }>(text, [mark])
    return rows[0]?.count ?? 0
  },
})

const secretsOf = ({ secretSealed, previousSecretSealed }: SealedSubscription): string[] =>
  [secretSealed, previousSecretSealed].filter((sealed) => sealed !== null)
