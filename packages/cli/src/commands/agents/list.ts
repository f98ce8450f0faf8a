import { type ConnectionFlags, connect } from '../../connection.ts'
import type { Context } from '../../context.ts'
import { collectPages } from '../../output/collect-pages.ts'
import type { ListFlags } from '../../output/flags.ts'
import { printList } from '../../output/print.ts'

export async function listAgents(this: Context, flags: ConnectionFlags & ListFlags): Promise<void> {
  const { client } = await connect(this, flags)
  const agents = await collectPages(flags.limit, (query) => client.agents.listAgents({ query }))
  await printList(this, flags, agents, [
    { title: 'id', value: (agent) => agent.agent_id },
    { title: 'name', value: (agent) => agent.name },
    { title: 'status', value: (agent) => agent.status },
    { title: 'updated', value: (agent) => ({ time: agent.updated_at }) },
    { title: 'description', value: (agent) => agent.description },
  ])
}
