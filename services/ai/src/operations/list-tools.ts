import { builtInTools } from '@wp/contracts'
import { decodeCursor, paginate } from '@wp/database'
import type { Operation } from '../context.ts'
import { defaultAutonomy, needsApproval } from '../tools/autonomy.ts'
import { createBuiltInTool } from '../tools/built-in-tools.ts'

/** Cursors contain a time, which tools do not have. */
const createdAt = new Date(0)

/** Lists the built-in tools. Those of integrations depend on the agent. */
export const listTools: Operation<'listTools'> = async ({ internal }, _caller, { query: { limit, cursor } }) => {
  const last = cursor === undefined ? '' : decodeCursor(cursor).id
  const rest = builtInTools.slice((builtInTools as readonly string[]).indexOf(last) + 1) // widened for the lookup only
  const { items, nextCursor } = paginate(rest, limit, (name) => ({ createdAt, id: name }))
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
