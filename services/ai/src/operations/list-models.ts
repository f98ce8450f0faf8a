import { decodeCursor, paginate } from '@wp/database'
import type { Operation } from '../context.ts'
import { listAvailableModels } from '../models/available-models.ts'

/** Cursors contain a time, which models do not have. */
const createdAt = new Date(0)

export const listModels: Operation<'listModels'> = async (context, caller, { query: { limit, cursor } }) => {
  const models = (await listAvailableModels(context, caller)).map((model) => ({
    ...model,
    key: `${model.provider}/${model.id}`,
  }))
  const last = cursor === undefined ? undefined : decodeCursor(cursor).id
  const rest = models.slice(models.findIndex(({ key }) => key === last) + 1)
  const { items, nextCursor } = paginate(rest, limit, ({ key }) => ({ createdAt, id: key }))
  return { items: items.map(({ key: _key, ...model }) => model), nextCursor }
}
