import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readFlag, readOneOf, readText } from '../api/search-params.ts'
import { workspaceRoute } from '../routing/workspace-route.tsx'
import { deliveryStatuses } from './attempts/delivery-status.ts'

type Search = Record<string, unknown>

export const webhookRoutes = [
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'webhooks',
    validateSearch: (search: Search) => ({
      ...readText(search, 'cursor', 'event'),
      ...readOneOf(search, 'status', ['active', 'disabled']),
    }),
    component: lazyRouteComponent(() => import('./subscriptions/subscriptions-page.tsx'), 'SubscriptionsPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'webhooks/new',
    validateSearch: (search: Search) => readText(search, 'event'),
    component: lazyRouteComponent(() => import('./subscription-form/new-webhook-page.tsx'), 'NewWebhookPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'webhooks/events',
    validateSearch: (search: Search) => readText(search, 'q', 'kind'),
    component: lazyRouteComponent(() => import('./subscriptions/event-catalogue-page.tsx'), 'EventCataloguePage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'webhooks/deliveries',
    validateSearch: (search: Search) => ({
      ...readText(search, 'cursor', 'webhook', 'event', 'id', 'since', 'until'),
      ...readOneOf(search, 'status', deliveryStatuses),
      ...readFlag(search, 'live'),
    }),
    component: lazyRouteComponent(() => import('./deliveries/deliveries-page.tsx'), 'DeliveriesPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'webhooks/deliveries/$requestId',
    component: lazyRouteComponent(() => import('./deliveries/delivery-page.tsx'), 'DeliveryPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'webhooks/$webhookId',
    validateSearch: (search: Search) => ({
      ...readText(search, 'replay', 'test'),
      ...readOneOf(search, 'range', ['7d', '30d']),
    }),
    component: lazyRouteComponent(() => import('./subscriptions/webhook-page.tsx'), 'WebhookPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'webhooks/$webhookId/edit',
    component: lazyRouteComponent(() => import('./subscription-form/edit-webhook-page.tsx'), 'EditWebhookPage'),
  }),
] as const
