import { type Manifest, selectorOf } from './manifest.ts'

/** The metrics have a label `service` of their own, which the scraper must not rename. */
const endpoint = { path: '/metrics', interval: '15s', honorLabels: true }

/**
 * Tells a Prometheus of the Prometheus operator what to scrape and when to alert: the services, the admin port of the
 * gateway, the database servers, and the alerts of infra/observability.
 */
export const monitoringManifests = (alerts: { groups: unknown[] }): Manifest[] => [
  {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'ServiceMonitor',
    metadata: { name: 'services' },
    spec: {
      selector: { matchLabels: { 'app.kubernetes.io/component': 'service' } },
      endpoints: [{ port: 'http', ...endpoint }],
    },
  },
  podMonitor('gateway', selectorOf('gateway'), { port: 'admin', ...endpoint }),
  podMonitor('postgres', { 'workspace-platform/role': 'database' }, { port: 'metrics', interval: '15s' }),
  {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: { name: 'platform' },
    spec: { groups: alerts.groups },
  },
]

const podMonitor = (name: string, labels: Record<string, string>, endpoints: Record<string, unknown>): Manifest => ({
  apiVersion: 'monitoring.coreos.com/v1',
  kind: 'PodMonitor',
  metadata: { name },
  spec: { selector: { matchLabels: labels }, podMetricsEndpoints: [endpoints] },
})
