import type { Metrics } from '@wp/runtime'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

type Labels = Record<string, string>

/** The metrics of one service, in a Prometheus registry of its own: the local fleet runs many services in one process. */
export interface MetricsRegistry extends Metrics {
  registry: Registry
}

const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** @param options.process true to include the metrics of the Node.js process; for one service of a process only */
export function createMetrics(service: string, options: { process: boolean }): MetricsRegistry {
  const registry = new Registry()
  registry.setDefaultLabels({ service })
  if (options.process) collectDefaultMetrics({ register: registry })
  const byName = new Map<string, Counter | Gauge | Histogram>()

  function metric<M extends Counter | Gauge | Histogram>(name: string, create: () => M): M {
    const existing = byName.get(name)
    if (existing !== undefined) return existing as M // a name has one kind only; prom-client rejects a second
    const created = create()
    byName.set(name, created)
    return created
  }

  const describe = (name: string, labels: Labels) => ({
    name,
    help: name.replaceAll('_', ' '),
    labelNames: Object.keys(labels),
    registers: [registry],
  })

  return {
    registry,
    count: (name, labels = {}, by = 1) => metric(name, () => new Counter(describe(name, labels))).inc(labels, by),
    gauge: (name, value, labels = {}) => metric(name, () => new Gauge(describe(name, labels))).set(labels, value),
    observe: (name, seconds, labels = {}) =>
      metric(name, () => new Histogram({ ...describe(name, labels), buckets })).observe(labels, seconds),
  }
}
