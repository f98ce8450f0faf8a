import { z } from 'zod'
import { event } from '../core/event.ts'
import { exampleIds, nameField, payloadExample, payloadFields } from './payload.ts'

/** The events of event destinations: as those of webhook subscriptions. */
export const destinationEvents = {
  EVENT_DESTINATION_FAILING: event({
    kind: 'EVENT_DESTINATION_FAILING',
    producer: 'webhook-delivery',
    summary: 'Writing to an event destination keeps failing; its records wait',
    isSubscribable: true,
    data: z.object({
      ...payloadFields('failing'),
      name: nameField('Name of the event destination'),
      failing_since: z.string().meta({ description: 'Time of the first failure since the last success' }),
      error_code: z.string().meta({ description: 'As `health.last_error.code` of the event destination' }),
    }),
    example: payloadExample(exampleIds.destination, 'failing', {
      name: 'Data lake',
      failing_since: '2026-01-05T09:30:00.000Z',
      error_code: 'unauthorized',
    }),
  }),
  EVENT_DESTINATION_DISABLED: event({
    kind: 'EVENT_DESTINATION_DISABLED',
    producer: 'webhook-delivery',
    summary: 'An event destination was disabled because writing to it failed',
    isSubscribable: true,
    data: z.object({
      ...payloadFields('disabled'),
      name: nameField('Name of the event destination'),
      reason: z.string().meta({ description: 'As `disabled_reason` of the event destination' }),
    }),
    example: payloadExample(exampleIds.destination, 'disabled', { name: 'Data lake', reason: 'gone' }),
  }),
} as const
