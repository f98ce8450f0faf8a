import { builtInTools } from '@wp/contracts'
import { paginateCatalogue } from '@wp/database'
import type { Operation } from '../context.ts'
import { listAvailableModels } from '../models/available-models.ts'
import { defaultAutonomy, needsApproval } from '../tools/autonomy.ts'
import { createBuiltInTool } from '../tools/built-in-tools.ts'

export const listModels: Operation<'listModels'> = async (context, caller, { query }) =>
  paginateCatalogue(await listAvailableModels(context, caller), query, ({ provider, id }) => `${provider}/${id}`)

/** Lists the built-in tools. Those of integrations depend on the agent. */
export const listTools: Operation<'listTools'> = async ({ internal }, _caller, { query }) => {
  const { items, nextCursor } = paginateCatalogue(builtInTools, query, (name) => name)
  const tools = items.map((name) => createBuiltInTool(name, internal))
  return {
    items: tools.map(({ name, description, inputSchema, requiredScopes, effectOf }) => ({
      name,
      description,
      input_schema: inputSchema,
      required_scopes: [...requiredScopes],
      requires_approval: needsApproval(defaultAutonomy, effectOf({})),
    })),
    nextCursor,
  }
}
