import { type Model, type Page, problem, type ToolReference } from '@wp/contracts'
import { decodeCursor, paginate, type Row } from '@wp/database'
import { type BlueprintVersion, Prisma } from '#db'

/** The greatest value of the column. */
const maxVersionNumber = 2 ** 31 - 1

/** The content of a version, of a blueprint or an agent. Immutable. */
export interface VersionContent extends Row<BlueprintVersion, 'name' | 'description' | 'instructions'> {
  model: Model
  tools: ToolReference[]
  /** JSON Schema of the input of runs; null if any input is accepted. */
  inputSchema: Record<string, unknown> | null
}

type ContentRow = Row<BlueprintVersion, keyof VersionContent>

/** Returns the columns of the content. The casts hold because the contract has parsed it from JSON. */
export const toContentColumns = ({ name, description, instructions, model, tools, inputSchema }: VersionContent) => ({
  name,
  description,
  instructions,
  model: model as Prisma.InputJsonObject,
  tools: tools as Prisma.InputJsonArray,
  inputSchema: inputSchema === null ? Prisma.DbNull : (inputSchema as Prisma.InputJsonObject),
})

/** Returns the content of a row. The casts hold because only this service writes the columns, with these types. */
export const toContent = ({ name, description, instructions, ...row }: ContentRow): VersionContent => ({
  name,
  description,
  instructions,
  model: row.model as Model,
  tools: row.tools as ToolReference[],
  inputSchema: row.inputSchema as VersionContent['inputSchema'],
})

/** The part of a list of versions to read. */
export interface VersionPage {
  limit: number
  cursor?: string | undefined
}

/** A version and the one before it; undefined for the first. */
export interface VersionPair<Version> {
  version: Version
  before: Version | undefined
}

interface Numbered {
  version: number
  createdAt: Date
}

/** Returns the condition for the versions after a cursor. @throws Problem `invalid_cursor` */
export function beforeVersion({ cursor }: VersionPage): { version?: { lt: number } } {
  if (cursor === undefined) return {}
  const number = Number(decodeCursor(cursor).id)
  if (!Number.isSafeInteger(number) || number < 1 || number > maxVersionNumber)
    throw problem('invalid_cursor', { errors: [{ pointer: '?cursor', detail: 'is not a cursor of this list' }] })
  return { version: { lt: number } }
}

/**
 * Returns a page of versions, each with the one before it, from rows fetched newest first with a limit of `limit + 1`.
 */
export function pairVersions<Version extends Numbered>(
  rows: readonly Version[],
  { limit }: VersionPage,
): Page<VersionPair<Version>> {
  const { items, nextCursor } = paginate(rows, limit, ({ version, createdAt }) => ({ createdAt, id: String(version) }))
  return { items: items.map((version, position) => ({ version, before: rows[position + 1] })), nextCursor }
}
