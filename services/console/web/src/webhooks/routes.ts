import { lazyRouteComponent } from '@tanstack/react-router'
import { readFlag, readOneOf, readText } from '../api/search-params.ts'
import { workspacePage } from '../routing/root-routes.tsx'
import { deliveryStatuses } from './attempts/delivery-status.ts'

export const webhookRoutes = [
  workspacePage(
    'webhooks',
    lazyRouteComponent(() => import('./subscriptions/subscriptions-page.tsx'), 'SubscriptionsPage'),
    (search) => ({
      ...readText(search, 'cursor', 'event', 'search'),
      ...readOneOf(search, 'status', ['active', 'disabled']),
    }),
  ),
  workspacePage(
    'webhooks/new',
    lazyRouteComponent(() => import('./subscription-form/new-webhook-page.tsx'), 'NewWebhookPage'),
    (search) => readText(search, 'event'),
  ),
  workspacePage(
    'webhooks/events',
    lazyRouteComponent(() => import('./subscriptions/event-catalogue-page.tsx'), 'EventCataloguePage'),
    (search) => readText(search, 'q', 'kind'),
  ),
  workspacePage(
    'webhooks/deliveries',
    lazyRouteComponent(() => import('./deliveries/deliveries-page.tsx'), 'DeliveriesPage'),
    (search) => ({
      ...readText(search, 'cursor', 'webhook', 'event', 'id', 'since', 'until', 'look'),
      ...readOneOf(search, 'status', deliveryStatuses),
      ...readFlag(search, 'live'),
    }),
  ),
  workspacePage(
    'webhooks/deliveries/$requestId',
    lazyRouteComponent(() => import('./deliveries/delivery-page.tsx'), 'DeliveryPage'),
  ),
  workspacePage(
    'webhooks/destinations',
    lazyRouteComponent(() => import('./destinations/destinations-page.tsx'), 'DestinationsPage'),
    (search) => ({
      ...readText(search, 'cursor', 'search'),
      ...readOneOf(search, 'content', ['events', 'audit']),
      ...readOneOf(search, 'status', ['active', 'disabled']),
    }),
  ),
  workspacePage(
    'webhooks/destinations/new',
    lazyRouteComponent(() => import('./destinations/form/new-destination-page.tsx'), 'NewDestinationPage'),
  ),
  workspacePage(
    'webhooks/destinations/$destinationId',
    lazyRouteComponent(() => import('./destinations/detail/destination-page.tsx'), 'DestinationPage'),
  ),
  workspacePage(
    'webhooks/destinations/$destinationId/edit',
    lazyRouteComponent(() => import('./destinations/form/edit-destination-page.tsx'), 'EditDestinationPage'),
  ),
  workspacePage(
    'webhooks/$webhookId',
    lazyRouteComponent(() => import('./subscriptions/webhook-page.tsx'), 'WebhookPage'),
    (search) => ({
      ...readText(search, 'replay', 'test', 'look'),
      ...readOneOf(search, 'range', ['7d', '30d']),
    }),
  ),
  workspacePage(
    'webhooks/$webhookId/edit',
    lazyRouteComponent(() => import('./subscription-form/edit-webhook-page.tsx'), 'EditWebhookPage'),
  ),
] as const
