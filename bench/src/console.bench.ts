import { existsSync, readFileSync, statSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { startTestServers } from '@wp/testkit'
import { type BrowserFleet, startBrowserFleet, type WatchedPage } from '@wp/testkit/chromium-fleet'
import { type Row, report } from './harness/report.ts'
import { median } from './harness/statistics.ts'
import { chosenEntries } from './names.ts'

/** Measures the console: what it transfers, and when its first page can be used. */
export async function run({ rounds }: { rounds: number }, chosen: readonly string[]): Promise<void> {
  const parts = { sizes: measureSizes, times: () => measureTimes(rounds) }
  for (const [, measure] of chosenEntries(parts, chosen)) await measure()
}

const buildFolder = join(import.meta.dirname, '../../services/console/web/dist')

/** Prints the files that each of the two documents loads before its scripts run, and their sum. */
function measureSizes(): void {
  const rows: Row[] = []
  for (const document of ['sign-in.html', 'index.html']) {
    const html = readFileSync(join(buildFolder, document), 'utf8')
    const assets = [...html.matchAll(/"\/console\/(assets\/[^"]+)"/g)].map(([, path = '']) => path)
    const files = [document, ...new Set(assets)].map((file) => ({ document, file, ...sizesOf(file) }))
    const sum = (name: 'bytes' | 'gzip' | 'brotli') => files.reduce((total, file) => total + file[name], 0)
    rows.push(...files, { document, file: 'together', bytes: sum('bytes'), gzip: sum('gzip'), brotli: sum('brotli') })
  }
  report('console-sizes', rows)
}

/** Fonts are compressed already, and small files are not worth it. */
function sizesOf(file: string) {
  const sizeOf = (path: string) => (existsSync(path) ? statSync(path).size : undefined)
  const path = join(buildFolder, file)
  const bytes = sizeOf(path) ?? 0
  return { bytes, gzip: sizeOf(`${path}.gz`) ?? bytes, brotli: sizeOf(`${path}.br`) ?? bytes }
}

interface Condition {
  cpuRate: number
  network?: { latency: number; downloadThroughput: number; uploadThroughput: number }
}

const bytesPerSecond = 400_000 / 8

const conditions: Readonly<Record<string, Condition>> = {
  'as it is': { cpuRate: 1 },
  'a quarter of the processor': { cpuRate: 4 },
  'slow 3G': {
    cpuRate: 1,
    network: { latency: 400, downloadThroughput: bytesPerSecond, uploadThroughput: bytesPerSecond },
  },
}

/** Promises the times at which the application showed the title of the page, and no part of it was loading any more. */
const recordTimes = `window.consoleTimes = new Promise((resolve) => {
  let usable
  const look = () => {
    const root = document.getElementById('root')
    if (root?.querySelector('h1')) usable ??= performance.now()
    if (usable === undefined || root.querySelector('[class*="_skeleton_"]')) return requestAnimationFrame(look)
    // The first paint may be that of the page itself, which is noted a frame later.
    const frame = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? usable
    resolve({ frame, usable, complete: performance.now() })
  }
  requestAnimationFrame(look)
})`

type Times = Record<'frame' | 'usable' | 'complete', number>

async function measureTimes(rounds: number): Promise<void> {
  const servers = await startTestServers()
  const fleet = await startBrowserFleet()
  try {
    report('console-times', await loadPages(fleet, rounds), { rounds, load: loadavg() })
  } finally {
    await fleet.stop()
    await servers.stop()
  }
}

/** Loads pages without a cache under each condition. */
async function loadPages(fleet: BrowserFleet, rounds: number): Promise<Row[]> {
  const [anonymous, owner] = [await fleet.open(), await fleet.openSignedIn()]
  const pages = [
    { name: 'sign-in', viewer: anonymous, address: '/console/sign-in' },
    { name: 'home', viewer: owner, address: fleet.address('') },
    { name: 'data', viewer: owner, address: fleet.address('data') },
  ]
  const rows: Row[] = []
  for (const { page } of [anonymous, owner]) await page.addInitScript(recordTimes)
  for (const [condition, settings] of Object.entries(conditions))
    for (const { name, viewer, address } of pages) {
      const restore = await emulate(viewer, settings)
      const times: Times[] = []
      for (let round = 0; round < rounds; round += 1) times.push(await loadOnce(viewer, address))
      await restore()
      const seconds = (part: keyof Times) => median(times.map((time) => time[part] / 1_000))
      const figures = { 'frame s': seconds('frame'), 'usable s': seconds('usable'), 'complete s': seconds('complete') }
      rows.push({ condition, page: name, ...figures })
    }
  await Promise.all([anonymous.close(), owner.close()])
  return rows
}

async function emulate({ page, context }: WatchedPage, { cpuRate, network }: Condition): Promise<() => Promise<void>> {
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
  await session.send('Emulation.setCPUThrottlingRate', { rate: cpuRate })
  if (network) await session.send('Network.emulateNetworkConditions', { offline: false, ...network })
  return () => session.detach()
}

async function loadOnce({ page }: WatchedPage, address: string): Promise<Times> {
  await page.goto(address, { waitUntil: 'commit' })
  // The promise is one of these numbers.
  return (await page.evaluate('window.consoleTimes')) as Times
}
