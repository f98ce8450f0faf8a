import type { data, InputOf } from '@wp/contracts'
import { type ConnectionFlags, connect } from '../../connection.ts'
import type { Context } from '../../context.ts'
import { definedMembers } from '../../flag-types.ts'
import type { OutputFlags } from '../../output/flags.ts'
import { printItem } from '../../output/print.ts'
import { waitForJob } from '../../output/wait-for-job.ts'
import { printCounts } from './print-counts.ts'

interface SyncFlags extends ConnectionFlags, OutputFlags {
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
    return printCounts(this, flags, await waitForJob(this, started, read))
  }
  await printItem(this, flags, started, [
    { title: 'id', value: ({ id }) => id },
    { title: 'status', value: ({ status }) => status },
  ])
}
