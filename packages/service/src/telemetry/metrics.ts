import { isSampled, type Metrics } from '@wp/runtime'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry, type RegistryContentType } from 'prom-client'
import { metricDescriptions } from './metric-descriptions.ts'

type Labels = Record<string, string>

/**
 * The metrics of one service, in a Prometheus registry of its own: the local fleet runs many services in one process.
 */
export interface MetricsRegistry extends Metrics {
  /** Sets all values of a gauge; those with other labels are removed. The labels have the same names in each value. */
  replaceGauge(name: string, values: readonly { labels: Labels; value: number }[]): void
  registry: Registry<RegistryContentType>
}

const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/**
 * Creates the registry of one service. With `exemplars` its text is OpenMetrics, whose histograms name a trace as an
 * example of each bucket; otherwise that of Prometheus.
 *
 * @param options.process true to include the metrics of the Node.js process; for one service of a process only
 */
export function createMetrics(
  service: string,
  options: { process: boolean; exemplars?: boolean | undefined },
): MetricsRegistry {
  const hasExemplars = options.exemplars === true
  const registry = new Registry<RegistryContentType>()
  if (hasExemplars) registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE)
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
    help: metricDescriptions[name] ?? name,
    labelNames: Object.keys(labels),
    registers: [registry],
  })

  return {
    registry,
    count(name, labels = {}, by = 1) {
      // OpenMetrics appends `_total` to the name of a counter; the names are the same in both formats.
      const isRenamed = hasExemplars && !name.endsWith('_total')
      const create = () => (isRenamed ? new Gauge(describe(name, labels)) : new Counter(describe(name, labels)))
      metric(name, create).inc(labels, by)
    },
    gauge: (name, value, labels = {}) => metric(name, () => new Gauge(describe(name, labels))).set(labels, value),
    replaceGauge(name, values) {
      const [first] = values
      if (first === undefined && !byName.has(name)) return
      const gauge = metric(name, () => new Gauge(describe(name, first?.labels ?? {})))
      gauge.reset()
      for (const { labels, value } of values) gauge.set(labels, value)
    },
    observe(name, seconds, labels = {}, traceparent) {
      const create = () => new Histogram({ ...describe(name, labels), buckets, enableExemplars: hasExemplars })
      const histogram = metric(name, create)
      if (!hasExemplars) return histogram.observe(labels, seconds)
      const exemplarLabels = isSampled(traceparent) ? { trace_id: traceparent.slice(3, 35) } : {}
      histogram.observe({ labels, value: seconds, exemplarLabels })
    },
  }
}
