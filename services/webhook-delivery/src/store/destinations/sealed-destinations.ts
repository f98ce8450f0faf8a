import type { Database, Row } from '@wp/database'
import type { SealedStore } from '@wp/service'
import type { EventDestination } from '#db'

interface SealedDestination extends Row<EventDestination, 'destinationId'> {
  secretsSealed: string
}

/**
 * The sealed secrets of the event destinations of all workspaces, for encryption key rotation.
 * @param binding returns the associated data of the secrets of an event destination
 */
export const sealedDestinations = (
  pool: Database['worker'],
  binding: (destinationId: string) => string,
): SealedStore<SealedDestination> => ({
  name: 'event_destinations',
  async findSealedWith(mark, after, limit) {
    const { rows } = await pool.query<SealedDestination>(
      `SELECT destination_id, secrets_sealed FROM event_destinations
       WHERE starts_with(secrets_sealed, $1) AND destination_id > $2 ORDER BY destination_id LIMIT $3`,
      [mark, after?.destinationId ?? '', limit],
    )
    return rows
  },
  sealedValues: ({ destinationId, secretsSealed }) => [
    { sealed: secretsSealed, associatedData: binding(destinationId) },
  ],
  async updateSealed({ destinationId, secretsSealed }, [resealed]) {
    await pool.query(
      'UPDATE event_destinations SET secrets_sealed = $3 WHERE destination_id = $1 AND secrets_sealed = $2',
      [destinationId, secretsSealed, resealed],
    )
  },
  async countSealedWith(mark) {
    const { rows } = await pool.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM event_destinations WHERE starts_with(secrets_sealed, $1)',
      [mark],
    )
    return rows[0]?.count ?? 0
  },
})
