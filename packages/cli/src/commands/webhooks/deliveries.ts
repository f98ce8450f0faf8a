import type { InputOf, webhooks } from '@wp/contracts'
import { type ConnectionFlags, connect } from '../../connection.ts'
import type { Context } from '../../context.ts'
import { definedMembers } from '../../flag-types.ts'
import { collectPages } from '../../output/collect-pages.ts'
import type { ListFlags } from '../../output/flags.ts'
import { printList } from '../../output/print.ts'

interface DeliveriesFlags extends ConnectionFlags, ListFlags {
  status: string | undefined
}

type Status = InputOf<typeof webhooks.listDeliveries>['query']['status']

export async function listDeliveries(this: Context, flags: DeliveriesFlags, webhookId: string): Promise<void> {
  const { client } = await connect(this, flags)
  const filter = definedMembers({ status: flags.status as Status }) // the platform checks the name
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
