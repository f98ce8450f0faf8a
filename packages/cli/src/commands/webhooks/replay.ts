import type { InputOf, webhooks } from '@wp/contracts'
import { type ConnectionFlags, connect } from '../../connection.ts'
import type { Context } from '../../context.ts'
import { definedMembers } from '../../flag-types.ts'
import type { OutputFlags } from '../../output/flags.ts'
import { printItem } from '../../output/print.ts'
import { waitForJob } from '../../output/wait-for-job.ts'

interface ReplayFlags extends ConnectionFlags, OutputFlags {
  since: string
  until: string | undefined
  status: string[] | undefined
  wait: boolean
}

type Status = InputOf<typeof webhooks.startReplay>['body']['status']

export async function replayDeliveries(this: Context, flags: ReplayFlags, webhookId: string): Promise<void> {
  const { client } = await connect(this, flags)
  const started = await client.webhooks.startReplay({
    params: { webhook_id: webhookId },
    body: {
      since: flags.since,
      until: flags.until ?? new Date(this.now()).toISOString(),
      ...definedMembers({ status: flags.status as Status }), // the platform checks the names
    },
  })
  const params = { id: started.id }
  const replay = flags.wait ? await waitForJob(this, started, () => client.webhooks.getReplay({ params })) : started
  await printItem(this, flags, replay, [
    { title: 'id', value: ({ id }) => id },
    { title: 'status', value: ({ status }) => status },
    { title: 'matched', value: ({ counts }) => counts.matched },
    { title: 'enqueued', value: ({ counts }) => counts.enqueued },
  ])
}
