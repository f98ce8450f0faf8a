import type { Job } from '@wp/jobs'
import type { Tx } from '../store/client.ts'
import { changeState, type DeliveryChannel } from '../store/deliveries.ts'
import type { DeliveryInput } from './queues.ts'

/** Creates the function that ends the delivery of a job which has failed for good. */
export const createFailureRecorder =
  (channel: DeliveryChannel) =>
  async (tx: Tx, job: Job): Promise<void> => {
    const { notificationId } = job.input as DeliveryInput // written by enqueueDelivery alone
    const deliveries = [{ notificationId, channel }]
    await changeState(tx, deliveries, { from: 'pending', to: 'failed', reason: job.error?.message })
    // The result of an attempt was not recorded.
    await changeState(tx, deliveries, { from: 'sending', to: 'uncertain', reason: job.error?.message })
  }
