import { type ConnectionFlags, connect } from '../../connection.ts'
import type { Context } from '../../context.ts'
import { collectPages } from '../../output/collect-pages.ts'
import type { ListFlags } from '../../output/flags.ts'
import { printList } from '../../output/print.ts'

export async function listSources(this: Context, flags: ConnectionFlags & ListFlags): Promise<void> {
  const { client } = await connect(this, flags)
  const sources = await collectPages(flags.limit, (query) => client.data.listSources({ query }))
  await printList(this, flags, sources, [
    { title: 'id', value: (source) => source.data_source_id },
    { title: 'name', value: (source) => source.name },
    { title: 'provider', value: (source) => source.provider },
    { title: 'status', value: (source) => source.status },
    { title: 'records', value: (source) => source.record_count },
    { title: 'last synced', value: (source) => ({ time: source.last_synced_at }) },
    { title: 'last error', value: (source) => source.last_error?.message },
  ])
}
