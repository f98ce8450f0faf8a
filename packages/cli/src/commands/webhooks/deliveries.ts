import type { InputOf, webhooks } from '@wp/contracts'
import { connect } from '../../connection.ts'
import { type Context, report } from '../../context.ts'
import { definedMembers } from '../../flag-types.ts'
import type { ListFlags, OutputFlags } from '../../output/flags.ts'
import { collectPages, printItem, printList } from '../../output/print.ts'
import { isJsonRequested, printJson } from '../../output/print-json.ts'
import { waitForJob } from '../../output/wait-for-job.ts'

interface DeliveriesFlags extends ListFlags {
  status: string | undefined
}

type ListedStatus = InputOf<typeof webhooks.listDeliveries>['query']['status']

export async function listDeliveries(this: Context, flags: DeliveriesFlags, webhookId: string): Promise<void> {
  const { client } = await connect(this, flags)
  const filter = definedMembers({ status: flags.status as ListedStatus }) // the platform checks the name
  const params = { webhook_id: webhookId }
  const deliveries = await collectPages(flags.limit, (page) =>
    client.webhooks.listDeliveries({ params, query: { ...filter, ...page } }),
  )
  await printList(this, flags, deliveries, [
    { title: 'request id', value: (delivery) => delivery.request_id },
    { title: 'event', value: (delivery) => delivery.event },
    { title: 'status', value: (delivery) => delivery.status },
    { title: 'attempts', value: (delivery) => delivery.attempt_count },
    { title: 'last response', value: (delivery) => delivery.last_status_code ?? delivery.last_error_kind },
    { title: 'occurred', value: (delivery) => ({ time: delivery.occurred_at }) },
    { title: 'next attempt', value: (delivery) => ({ time: delivery.next_attempt_at }) },
  ])
}

export async function resendDelivery(this: Context, flags: OutputFlags, requestId: string): Promise<void> {
  const { client } = await connect(this, flags)
  const delivery = await client.webhooks.resendDelivery({ params: { request_id: requestId } })
  if (isJsonRequested(flags)) return printJson(this, flags, delivery)
  report(this, `${delivery.event} ${delivery.request_id} is sent again.`)
}

interface ReplayFlags extends OutputFlags {
  since: string
  until: string | undefined
  status: string[] | undefined
  wait: boolean
}

type ReplayedStatus = InputOf<typeof webhooks.startReplay>['body']['status']

export async function replayDeliveries(this: Context, flags: ReplayFlags, webhookId: string): Promise<void> {
  const { client } = await connect(this, flags)
  const started = await client.webhooks.startReplay({
    params: { webhook_id: webhookId },
    body: {
      since: flags.since,
      until: flags.until ?? new Date(this.now()).toISOString(),
      ...definedMembers({ status: flags.status as ReplayedStatus }), // the platform checks the names
    },
  })
  const params = { id: started.id }
  const read = () => client.webhooks.getReplay({ params })
  const replay = flags.wait ? await waitForJob(this, 'webhooks.cancelReplay', started.id, read) : started
  await printItem(this, flags, replay, [
    { title: 'id', value: ({ id }) => id },
    { title: 'status', value: ({ status }) => status },
    { title: 'matched', value: ({ counts }) => counts.matched },
    { title: 'enqueued', value: ({ counts }) => counts.enqueued },
  ])
}
