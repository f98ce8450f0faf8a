import type { Model, ToolReference } from '@wp/contracts'
import type { Row } from '@wp/database'
import { type BlueprintVersion, Prisma } from '#db'

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
