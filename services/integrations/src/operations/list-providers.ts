import { decodeCursor, paginate } from '@wp/database'
import type { Operation } from '../context.ts'
import { providers } from '../providers/index.ts'

/** Cursors contain a time, which providers do not have. */
const createdAt = new Date(0)

/** Lists the provider catalogue. */
export const listProviders: Operation<'listProviders'> = async (_context, _caller, { query: { limit, cursor } }) => {
  const all = Object.values(providers)
  const last = cursor === undefined ? undefined : decodeCursor(cursor).id
  const rest = all.slice(all.findIndex(({ provider }) => provider === last) + 1)
  const { items, nextCursor } = paginate(rest, limit, ({ provider }) => ({ createdAt, id: provider }))
  return {
    items: items.map(({ provider, name, description, configSchema, secretsSchema }) => ({
      provider,
      name,
      description,
      config_schema: configSchema,
      secrets_schema: secretsSchema,
    })),
    nextCursor,
  }
}
