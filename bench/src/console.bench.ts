import { loadavg } from 'node:os'
import { startTestServers } from '@wp/testkit'
import {
  type BrowserFleet,
  type FilledWorkspace,
  fillWorkspace,
  forms,
  startBrowserFleet,
} from '@wp/testkit/chromium-fleet'
import { sumAssets } from './console/asset-sizes.ts'
import { type PageProbe, probePage, usable } from './console/page-probe.ts'
import { optionValue } from './harness/options.ts'
import { report } from './harness/report.ts'
import { median } from './harness/statistics.ts'

/** The first page that is opened may load that much; code of other areas is loaded when they are opened. */
const limits = { scriptGzipBytes: 200 * 1024, usableMs: 1_500, layoutShift: 0.01 }

const cpuSlowdown = 4
/** The sign-in and the home page, which people open first. */
const firstPages = 2

/**
 * Measures what the pages of the console load, how long they take until they can be used, and what moves while they
 * load, in Chromium with a processor that is four times slower, and compares that with the limits of the project.
 *
 * Options: `--runs n` of each time, with an empty and with a filled cache (default 5); `--only sizes|shifts|times`.
 */
export async function run(options: string[]): Promise<void> {
  const runs = Number(optionValue(options, '--runs') ?? 5)
  const only = optionValue(options, '--only')
  const servers = await startTestServers()
  const fleet = await startBrowserFleet()
  try {
    const pages = await listPages(fleet)
    const isMeasured = (what: string) => only === undefined || only === what
    if (isMeasured('sizes')) report('console-sizes', await measureSizes(pages))
    if (isMeasured('shifts')) {
      const { rows, moved } = await measureShifts(pages)
      report('console-shifts', rows, { moved, cpuSlowdown })
    }
    if (isMeasured('times')) {
      const rows = await measureTimes(pages.slice(0, firstPages), runs)
      // Other programs that keep the processors busy make these times longer.
      report('console-times', rows, { runs, cpuSlowdown, loadAverage: loadavg()[0] })
    }
  } finally {
    await fleet.stop()
    await servers.stop()
  }
}

interface MeasuredPage {
  name: string
  /** Opens a browser profile with an empty cache, signed in if the page needs it. */
  profile(form?: keyof typeof forms): ReturnType<BrowserFleet['browser']['newContext']>
  probe(context: Awaited<ReturnType<MeasuredPage['profile']>>, cpuSlowdown: number): Promise<PageProbe>
}

async function listPages(fleet: BrowserFleet): Promise<MeasuredPage[]> {
  const ids = await fillWorkspace(fleet)
  const { context, close } = await fleet.openSignedIn()
  const storageState = await context.storageState()
  await close()
  const signIn: MeasuredPage = {
    name: 'sign-in',
    profile: (form = 'light') => fleet.browser.newContext({ ...forms[form], baseURL: fleet.fleet.baseUrl }),
    probe: (profile, slowdown) =>
      probePage(profile, { address: '/console/sign-in', isUsable: usable.signIn, cpuSlowdown: slowdown }),
  }
  const inside = Object.entries(pathsOf(ids)).map(
    ([name, path]): MeasuredPage => ({
      name,
      profile: (form = 'light') =>
        fleet.browser.newContext({ ...forms[form], baseURL: fleet.fleet.baseUrl, storageState }),
      probe: (profile, slowdown) =>
        probePage(profile, { address: fleet.address(path), isUsable: usable.workspace, cpuSlowdown: slowdown }),
    }),
  )
  return [signIn, ...inside]
}

const pathsOf = (ids: FilledWorkspace): Record<string, string> => ({
  home: '',
  data: 'data',
  records: `data/${ids.sourceId}`,
  search: 'search?q=harbour',
  webhooks: 'webhooks',
  deliveries: 'webhooks/deliveries',
  forecast: `forecasts/${ids.runId}`,
  'agent playground': `agents/${ids.agentId}`,
  developer: 'developer',
  members: 'members',
  audit: 'audit',
  usage: 'usage',
  notifications: 'notifications',
})

/** Measures the code that each page loads in all, and the part that it adds to the sign-in page. */
async function measureSizes(pages: readonly MeasuredPage[]) {
  const rows = []
  let initialGzip: number | undefined
  for (const [index, { name, profile, probe }] of pages.entries()) {
    const context = await profile()
    const { assets, processorMs } = await probe(context, 1)
    const { scripts, scriptGzip, scriptBrotli, stylesGzip, fonts } = await sumAssets(assets)
    await context.close()
    initialGzip ??= scriptGzip
    rows.push({
      page: name,
      files: scripts,
      'JS gzip': scriptGzip,
      'JS brotli': scriptBrotli,
      'added gzip': scriptGzip - initialGzip,
      'CSS gzip': stylesGzip,
      fonts,
      'processor ms': Math.round(processorMs),
      ...(index < firstPages && {
        limit: limits.scriptGzipBytes,
        verdict: compare(scriptGzip, limits.scriptGzipBytes),
      }),
    })
  }
  return rows
}

async function measureTimes(pages: readonly MeasuredPage[], runs: number) {
  const rows = []
  for (const { name, profile, probe } of pages) {
    const times: Record<'empty' | 'filled', number[]> = { empty: [], filled: [] }
    for (let count = 0; count < runs; count += 1) {
      const context = await profile()
      times.empty.push((await probe(context, cpuSlowdown)).usableMs)
      times.filled.push((await probe(context, cpuSlowdown)).usableMs)
      await context.close()
    }
    for (const [cache, values] of Object.entries(times))
      rows.push({
        page: name,
        cache,
        'median ms': median(values),
        'worst ms': Math.max(...values),
        limit: limits.usableMs,
        verdict: compare(Math.max(...values), limits.usableMs),
      })
  }
  return rows
}

async function measureShifts(pages: readonly MeasuredPage[]) {
  const rows = []
  const moved: Record<string, string[]> = {}
  for (const { name, profile, probe } of pages)
    for (const form of ['light', 'narrow'] as const) {
      const context = await profile(form)
      const result = await probe(context, cpuSlowdown)
      await context.close()
      const width = forms[form].viewport.width
      if (result.moved.length > 0) moved[`${name}, ${width}`] = result.moved
      rows.push({
        page: name,
        width,
        'layout shift': result.layoutShift,
        limit: limits.layoutShift,
        verdict: compare(result.layoutShift, limits.layoutShift),
      })
    }
  return { rows, moved }
}

const compare = (value: number, limit: number): 'ok' | 'over' => (value <= limit ? 'ok' : 'over')
