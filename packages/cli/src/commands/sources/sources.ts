import type { data, InputOf } from '@wp/contracts'
import { connect } from '../../connection.ts'
import type { Context } from '../../context.ts'
import { definedMembers } from '../../flag-types.ts'
import type { ListFlags, OutputFlags } from '../../output/flags.ts'
import { collectPages, printItem, printList } from '../../output/print.ts'
import { waitForJob } from '../../output/wait-for-job.ts'
import { printCounts } from './print-counts.ts'

export async function listSources(this: Context, flags: ListFlags): Promise<void> {
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

interface CreateSourceFlags extends OutputFlags {
  key: string | undefined
  title: string | undefined
  text: string | undefined
}

export async function createSource(this: Context, flags: CreateSourceFlags, name: string): Promise<void> {
  const { client } = await connect(this, flags)
  const config = definedMembers({ key: flags.key, title_field: flags.title, text_field: flags.text })
  const created = await client.data.createSource({ body: { name, provider: 'upload', config } })
  await printItem(this, flags, created, [
    { title: 'id', value: (source) => source.data_source_id },
    { title: 'name', value: (source) => source.name },
  ])
}

interface SyncFlags extends OutputFlags {
  mode: string | undefined
  wait: boolean
  allowDeletions: boolean
}

type Mode = InputOf<typeof data.startSync>['body']['mode']

export async function syncSource(this: Context, flags: SyncFlags, sourceId: string): Promise<void> {
  const { client } = await connect(this, flags)
  const started = await client.data.startSync({
    params: { data_source_id: sourceId },
    // the platform checks the name of the mode
    body: {
      ...definedMembers({ mode: flags.mode as Mode }),
      ...(flags.allowDeletions ? { allow_deletions: true } : {}),
    },
  })
  if (flags.wait) {
    const read = () => client.data.getSync({ params: { id: started.id } })
    return printCounts(this, flags, await waitForJob(this, 'data.cancelSync', started.id, read))
  }
  await printItem(this, flags, started, [
    { title: 'id', value: ({ id }) => id },
    { title: 'status', value: ({ status }) => status },
  ])
}
