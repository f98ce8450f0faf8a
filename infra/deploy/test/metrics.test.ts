import { execFile } from 'node:child_process'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from '@jest/globals'
import { metricDescriptions } from '@wp/service'
import { findPrometheusProgram } from '@wp/testkit'
import { parse } from 'yaml'

const root = join(import.meta.dirname, '../../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const sources = globSync('{gateway,packages/*,services/*}/src/**/*.ts', {
  cwd: root,
  exclude: (path) => path === 'generated',
}).map(read)

/** The names that the sources report; those of the event publisher are composed of a prefix and an end. */
function reportedNames(): string[] {
  const literal = /metrics\.(?:count|gauge|replaceGauge|observe)\(\s*'([a-z_]+)'/g
  const named = sources.flatMap((text) => [...text.matchAll(literal)].map(([, name = '']) => name))
  const prefixes = sources.flatMap((text) => [...text.matchAll(/\bmetric: '([a-z_]+)'/g)].map(([, name = '']) => name))
  const composed = prefixes.flatMap((prefix) => ['dropped', 'published', 'waiting'].map((end) => `${prefix}_${end}`))
  return [...new Set([...named, ...composed])].sort()
}

interface Alerts {
  groups: { name: string; rules: Rule[] }[]
}
interface Rule {
  alert?: string
  record?: string
  expr: string
  annotations?: { summary?: string; runbook?: string }
}

const rules = (parse(read('infra/observability/alerts.yml')) as Alerts).groups.flatMap((group) => group.rules)

/** Metrics of Prometheus itself, Node.js, CloudNativePG, NATS, the kubelet and cert-manager. */
const isForeign = (name: string) => /^(up|process_|nodejs_|cnpg_|kubelet_|kube_|certmanager_)/.test(name)

/** Returns the names of metrics in an expression of PromQL, without the endings of histograms. */
function namesIn(expression: string): string[] {
  const bare = expression.replace(/"[^"]*"|'[^']*'|\[[^\]]*\]|\b(?:by|on|without|ignoring)\s*\([^)]*\)|\{[^}]*\}/g, '')
  const words = [...bare.matchAll(/[a-z_][a-z0-9_:]*(?!\s*\()\b/g)].map(([word]) => word)
  return words.filter((word) => word.includes('_') || word === 'up').filter((word) => !functions.has(word))
}
const functions = new Set(['histogram_quantile', 'max_over_time', 'avg_over_time', 'label_replace', 'absent_over_time'])
const withoutEnding = (name: string) => name.replace(/_(bucket|count|sum)$/, '')

describe('the metrics', () => {
  it('that the sources report are described', () => {
    const names = reportedNames()
    expect(names.length).toBeGreaterThan(50)
    expect(names.filter((name) => !(name in metricDescriptions))).toEqual([])
  })

  it('are described in docs/metrics.md', () => {
    const lines = Object.entries(metricDescriptions).map(([name, text]) => `| \`${name}\` | ${text} |`)
    const page = read('docs/metrics.md')
    const table = `| metric | meaning, and what to do |\n|---|---|\n${lines.join('\n')}\n`
    const current = page.replace(/\| metric \| meaning[\s\S]*?\n(?=\n|$)/, table)
    // RECORD_METRICS=1 npm test -- infra/deploy/test/metrics.test.ts
    if (process.env.RECORD_METRICS === '1') writeFileSync(join(root, 'docs/metrics.md'), current)
    else expect(page).toBe(current)
  })
})

const recorded = new Set(rules.flatMap(({ record }) => record ?? []))
const isKnown = (name: string) => recorded.has(name) || withoutEnding(name) in metricDescriptions || isForeign(name)

describe('the alerts', () => {
  it('use metrics that exist', () => {
    const unknown = rules.flatMap(({ alert, record, expr }) =>
      namesIn(expr).flatMap((name) => (isKnown(name) ? [] : [`${alert ?? record}: ${name}`])),
    )
    expect(unknown).toEqual([])
  })

  it('have a summary and link a section of a runbook that exists', () => {
    const alerts = rules.filter(({ alert }) => alert !== undefined)
    const problems = alerts.flatMap(({ alert, annotations = {} }) => {
      const [page = '', anchor] = (annotations.runbook ?? '').split('#')
      if (!annotations.summary || !/^docs\/runbooks\/[a-z-]+\.md$/.test(page)) return [`${alert}: ${page}`]
      const anchors = [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => anchorOf(title))
      return anchor === undefined || anchors.includes(anchor) ? [] : [`${alert}: ${page} has no #${anchor}`]
    })
    expect(problems).toEqual([])
    expect(alerts.length).toBeGreaterThan(15)
  })

  it('are each explained in the page of alerts', () => {
    const page = read('docs/runbooks/alerts.md')
    expect(rules.flatMap(({ alert }) => (alert === undefined || page.includes(`\`${alert}\``) ? [] : [alert]))).toEqual(
      [],
    )
  })
})

/** The anchor that GitHub gives to a heading. */
const anchorOf = (title: string) =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

const promtool = findPrometheusProgram('promtool')
if (promtool === undefined)
  process.stdout.write('skipped: no promtool, so the alerts are not tried: npm run prometheus\n')
const describeIfPresent = promtool === undefined ? describe.skip : describe

describeIfPresent('promtool', () => {
  const run = (...args: string[]) =>
    promisify(execFile)(promtool ?? '', args, { cwd: join(root, 'infra/observability') }).then(
      () => 'accepted',
      (error: { stdout: string; stderr: string }) => error.stdout + error.stderr,
    )

  it('accepts the alerts and what they report in its tests', async () => {
    expect(await run('check', 'rules', 'alerts.yml')).toBe('accepted')
    expect(await run('test', 'rules', 'alerts.test.yml')).toBe('accepted')
    expect(await run('check', 'config', '--syntax-only', 'prometheus.yml')).toBe('accepted')
  })
})

describe('the dashboards', () => {
  const files = globSync('infra/observability/grafana/dashboards/*.json', { cwd: root })

  it.each(files)('use metrics that exist: %s', (file) => {
    const expressions = [...read(file).matchAll(/"expr": ("(?:[^"\\]|\\.)*")/g)].map(([, text = '""']) =>
      JSON.parse(text),
    )
    expect(expressions.length).toBeGreaterThan(3)
    const names = expressions.flatMap(namesIn)
    expect(names.filter((name) => !isKnown(name))).toEqual([])
  })
})
