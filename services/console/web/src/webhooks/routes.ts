import { workspacePage } from '../routing/root-routes.tsx'
import { deliveryStatuses } from './attempts/delivery-status.ts'

const states = ['active', 'disabled'] as const

export const webhookRoutes = [
  workspacePage('webhooks', () => import('./subscriptions/subscriptions-page.tsx'), 'SubscriptionsPage', {
    cursor: 'text',
    event: 'text',
    search: 'text',
    status: states,
  }),
  workspacePage('webhooks/new', () => import('./subscription-form/new-webhook-page.tsx'), 'NewWebhookPage', {
    event: 'text',
  }),
  workspacePage('webhooks/events', () => import('./subscriptions/event-catalogue-page.tsx'), 'EventCataloguePage', {
    q: 'text',
    kind: 'text',
  }),
  workspacePage('webhooks/deliveries', () => import('./deliveries/deliveries-page.tsx'), 'DeliveriesPage', {
    cursor: 'text',
    webhook: 'text',
    event: 'text',
    id: 'text',
    since: 'text',
    until: 'text',
    look: 'text',
    status: deliveryStatuses,
    live: 'flag',
  }),
  workspacePage('webhooks/deliveries/$requestId', () => import('./deliveries/delivery-page.tsx'), 'DeliveryPage'),
  workspacePage('webhooks/destinations', () => import('./destinations/destinations-page.tsx'), 'DestinationsPage', {
    cursor: 'text',
    search: 'text',
    content: ['events', 'audit'],
    status: states,
  }),
  workspacePage(
    'webhooks/destinations/new',
    () => import('./destinations/form/new-destination-page.tsx'),
    'NewDestinationPage',
  ),
  workspacePage(
    'webhooks/destinations/$destinationId',
    () => import('./destinations/detail/destination-page.tsx'),
    'DestinationPage',
  ),
  workspacePage(
    'webhooks/destinations/$destinationId/edit',
    () => import('./destinations/form/edit-destination-page.tsx'),
    'EditDestinationPage',
  ),
  workspacePage('webhooks/$webhookId', () => import('./subscriptions/webhook-page.tsx'), 'WebhookPage', {
    replay: 'text',
    test: 'text',
    look: 'text',
    range: ['7d', '30d'],
  }),
  workspacePage(
    'webhooks/$webhookId/edit',
    () => import('./subscription-form/edit-webhook-page.tsx'),
    'EditWebhookPage',
  ),
] as const
