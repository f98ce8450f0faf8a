// `npm run console:screens` opens every page of the console in Chromium, writes a screenshot of each in light, dark and
// 390 pixels, and checks each with axe. Exits with 1 if a page has a violation, an error, an overflow or a layout
// shift.
import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { startTestServers } from '@wp/testkit'
import {
  type BrowserFleet,
  checkPage,
  type Form,
  fillWorkspace,
  findChromium,
  forms,
  maxLayoutShift,
  measureLayoutShift,
  startBrowserFleet,
  type WatchedPage,
} from '@wp/testkit/chromium-fleet'
import { listScreenPages, type ScreenPage, type Viewer } from './console-screens/screen-pages.ts'

const usage = `usage:
  npm run console:screens
options:
  --out <folder>      where the screenshots and index.html are written; default screens
  --only <area>       the pages of one area, such as data, sign-in or empty
environment:
  CHROMIUM            the path of Chromium; default that of the system`

const root = join(import.meta.dirname, '../..')

async function run(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: { out: { type: 'string', default: join(root, 'screens') }, only: { type: 'string' } },
  })
  if (findChromium() === undefined) throw new Error('there is no Chromium; set CHROMIUM to its path')
  const folder = resolve(values.out)
  await mkdir(folder, { recursive: true })
  const servers = await startTestServers()
  const fleet = await startBrowserFleet()
  try {
    return await captureAll(fleet, folder, values.only)
  } finally {
    await fleet.stop()
    await servers.stop()
  }
}

async function captureAll(fleet: BrowserFleet, folder: string, only: string | undefined): Promise<number> {
  const { workspaceId } = fleet
  const emptyWorkspaceId = fleet.fleet.stranger.workspaceId
  const pages = listScreenPages(await fillWorkspace(fleet), { workspaceId, emptyWorkspaceId })
  const selected = pages.filter(({ area }) => only === undefined || area === only)
  if (selected.length === 0)
    throw new Error(`there is no area ${only}; the areas are ${[...new Set(pages.map(({ area }) => area))].join(', ')}`)
  const viewers: Record<Viewer, WatchedPage> = {
    anonymous: await fleet.open(),
    owner: await fleet.openSignedIn(),
    newcomer: await fleet.openSignedIn('light', 'stranger@example.com'),
  }
  const captured: { name: string; problems: string[] }[] = []
  for (const page of selected) {
    const problems = await capture(viewers[page.viewer], page, folder)
    captured.push({ name: page.name, problems })
    process.stdout.write(`${page.name}: ${problems.length === 0 ? 'ok' : `\n  ${problems.join('\n  ')}`}\n`)
  }
  await writeFile(join(folder, 'index.html'), formatScreensIndex(captured))
  const count = captured.reduce((sum, { problems }) => sum + problems.length, 0)
  process.stdout.write(`${captured.length} pages, ${count} problems; ${join(folder, 'index.html')}\n`)
  return count === 0 ? 0 : 1
}

/**
 * Checks and captures a page. A page that cannot be shown is a problem, and the other pages are captured all the same.
 */
async function capture(viewer: WatchedPage, page: ScreenPage, folder: string): Promise<string[]> {
  const onForm = async (form: Form) => {
    const path = join(folder, screenshotName(page.name, form))
    await viewer.page.screenshot({ path, fullPage: true })
  }
  const skeletons = page.skeletons ?? 'replaced'
  try {
    const problems = await checkPage(viewer, page.address, { skeletons, onForm })
    return [...problems, ...(await findLayoutShifts(viewer, page.address, skeletons))]
  } catch (error) {
    return [error instanceof Error ? error.message : String(error), ...viewer.problems.splice(0)]
  }
}

/** Loads a page at each width and returns a line where its elements move while it loads. */
async function findLayoutShifts(viewer: WatchedPage, address: string, skeletons: 'replaced' | 'kept') {
  const found: string[] = []
  for (const form of ['light', 'narrow'] as const) {
    const shift = await measureLayoutShift(viewer, address, form, skeletons)
    if (shift > maxLayoutShift) found.push(`(${form}): the layout shifts by ${shift.toFixed(4)} while the page loads`)
  }
  return found
}

/** The file of a screenshot. */
const screenshotName = (page: string, form: Form): string => `${page}.${form}.png`

/** Returns an HTML page that shows the screenshots of each page side by side, with what was found on it. */
function formatScreensIndex(pages: readonly { name: string; problems: readonly string[] }[]): string {
  const images = (name: string) =>
    // The keys of a constant.
    (Object.keys(forms) as Form[])
      .map((form) => {
        const file = screenshotName(name, form)
        const link = `<a href="${file}"><img src="${file}" alt="${name}, ${form}" loading="lazy"></a>`
        return `<figure style="flex: ${forms[form].viewport.width} 1 0">${link}<figcaption>${form}</figcaption></figure>`
      })
      .join('')
  const sections = pages.map(
    ({ name, problems }) =>
      `<section><h2 id="${name}">${name}</h2>${problems.map((problem) => `<p>${escapeHtml(problem)}</p>`).join('')}<div>${images(name)}</div></section>`,
  )
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Screens of the console</title>
<style>
body { font: 14px system-ui; margin: 24px; background: #ddd } section { margin-bottom: 48px } p { color: #a00 }
div { display: flex; gap: 16px; align-items: flex-start } figure { margin: 0 } img { width: 100%; border: 1px solid #888 }
</style><h1>Screens of the console</h1>
${sections.join('\n')}
</html>
`
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

try {
  process.exit(await run(process.argv.slice(2)))
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n${usage}\n`)
  process.exit(1)
}
