import { z } from 'zod'
import { declareEndpoints, servedBy } from '../core/endpoint/endpoint.ts'
import { listQuery, metadataFilter, searchFilter, text } from '../core/shape/shape.ts'
import {
  DestinationReplay,
  DestinationTest,
  destinationContents,
  destinationPath,
  destinationStates,
  EventDestination,
  EventDestinationPatch,
  NewEventDestination,
  StartedDestinationReplay,
} from './destination-shapes.ts'

/** Event destinations: stores, brokers and log systems to which events or the audit log are written, in order. */
export const eventDestinations = servedBy(
  'webhook-delivery',
  declareEndpoints('webhooks', {
    listDestinations: {
      method: 'GET',
      path: '/v1/webhooks/destinations',
      summary: 'List event destinations',
      description: 'Lists the event destinations of the workspace, newest first, with their health.',
      scope: 'webhooks:read',
      query: listQuery({
        content: z.enum(destinationContents).optional().describe('Only event destinations for this content'),
        status: z.enum(destinationStates).optional(),
        search: searchFilter('the name'),
        external_id: text(200).optional(),
        metadata: metadataFilter(),
      }),
      list: EventDestination,
    },
    createDestination: {
      method: 'POST',
      path: '/v1/webhooks/destinations',
      summary: 'Create an event destination',
      description:
        'From now on, events or audit records are written there in the order of their `seq`, each at least once. A failed write is repeated until it succeeds, before anything later is written. For the audit log the caller also needs `audit:read`; a replay with `from_seq` 1 then writes what was recorded before.',
      scope: 'webhooks:write',
      body: NewEventDestination,
      created: EventDestination,
      location: '/v1/webhooks/destinations/{destination_id}',
      errors: ['invalid_endpoint', 'unknown_event_kind', 'quota_exceeded'],
      audit: { action: 'event_destination.created', target: 'event_destination', field: 'destination_id' },
    },
    getDestination: {
      method: 'GET',
      path: '/v1/webhooks/destinations/{destination_id}',
      summary: 'Read an event destination',
      description: 'The response has its position, its health and the number of records that wait.',
      scope: 'webhooks:read',
      params: destinationPath,
      volatile: ['position', 'health'],
      ok: EventDestination,
    },
    updateDestination: {
      method: 'PATCH',
      path: '/v1/webhooks/destinations/{destination_id}',
      summary: 'Change an event destination',
      description: 'A change of the settings or of the status also repeats a failed write at once.',
      scope: 'webhooks:write',
      params: destinationPath,
      body: EventDestinationPatch,
      volatile: ['position', 'health'],
      ok: EventDestination,
      errors: ['invalid_endpoint', 'unknown_event_kind'],
      audit: { action: 'event_destination.updated', target: 'event_destination', field: 'destination_id' },
    },
    deleteDestination: {
      method: 'DELETE',
      path: '/v1/webhooks/destinations/{destination_id}',
      summary: 'Delete an event destination',
      description: 'Nothing more is written there. What was written stays.',
      scope: 'webhooks:write',
      params: destinationPath,
      deleted: 'destination_id',
      audit: { action: 'event_destination.deleted', target: 'event_destination', field: 'destination_id' },
    },
    testDestination: {
      method: 'POST',
      path: '/v1/webhooks/destinations/{destination_id}/test',
      summary: 'Write one test record to an event destination',
      description:
        'A failed test is also 200: `ok` is false, and `error` has the reason. It does not change the health.',
      scope: 'webhooks:write',
      params: destinationPath,
      ok: DestinationTest,
      audit: { action: 'event_destination.tested', target: 'event_destination', field: 'destination_id' },
    },
    replayDestination: {
      method: 'POST',
      path: '/v1/webhooks/destinations/{destination_id}/replay',
      summary: 'Write records to an event destination again',
      description:
        'Sets its position back: all records from there on are written again, in order. What is no longer kept is left out, and the response says so. With `dry_run` it only counts them.',
      scope: 'webhooks:write',
      params: destinationPath,
      body: DestinationReplay,
      ok: StartedDestinationReplay,
      audit: { action: 'event_destination.replayed', target: 'event_destination', field: 'destination_id' },
    },
  }),
)
