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
  const known = new Map<string, Counter | Gauge | Histogram>()

  function metric<M extends Counter | Gauge | Histogram>(name: string, make: () => M): M {
    const found = known.get(name)
    if (found !== undefined) return found as M // a name is used with one kind only; prom-client itself would refuse a second
    const made = make()
    known.set(name, made)
    return made
  }

  const described = (name: string, labels: Labels) => ({
    name,
    help: name.replaceAll('_', ' '),
    labelNames: Object.keys(labels),
    registers: [registry],
  })

  return {
    registry,
    count: (name, labels = {}, by = 1) => metric(name, () => new Counter(described(name, labels))).inc(labels, by),
    gauge: (name, value, labels = {}) => metric(name, () => new Gauge(described(name, labels))).set(labels, value),
    observe: (name, seconds, labels = {}) =>
      metric(name, () => new Histogram({ ...described(name, labels), buckets })).observe(labels, seconds),
  }
}
